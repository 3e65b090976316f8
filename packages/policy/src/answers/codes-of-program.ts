import { ANSWER_PROGRAMS, CHECK_SCRIPT, SCRIPT_RUNNERS } from './answer-programs.ts';
import { lineOfShell, operandsAt, spellingsOf, type Words } from './spellings-of.ts';

type CodesOfLine = (line: string) => readonly number[];

/** Answer codes of a command; empty when it has none that are known. */
export function codesOfProgram(words: Words, codesOfLine: CodesOfLine): readonly number[] {
  for (const [name, ...args] of spellingsOf(words)) {
    const line = lineOfShell([name, ...args]);
    if (line !== undefined) return line === null ? [] : codesOfLine(line);
    const codes = codesNamed(name, args);
    if (codes !== undefined) return expand(codes);
  }
  return [];
}

function codesNamed(name: string, args: Words): string | undefined {
  if (name === 'node') return args.includes('--test') ? '1' : undefined;
  const [verb, second] = operandsAt(name, args).map((at) => args[at]);
  const known = ANSWER_PROGRAMS.get(`${name} ${verb}`) ?? ANSWER_PROGRAMS.get(name);
  if (known !== undefined) return known;
  const script = verb === 'run' || verb === 'run-script' || verb === 'task' ? second : verb;
  return CHECK_SCRIPT.test(script ?? '') ? SCRIPT_RUNNERS.get(name) : undefined;
}

/** `3-5` as numbers. */
export function expand(codes: string): readonly number[] {
  const from = Number.parseInt(codes, 10);
  const to = Number(codes.split('-').at(-1));
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
