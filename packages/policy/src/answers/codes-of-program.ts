import { ANSWER_PROGRAMS, CHECK_SCRIPT, SCRIPT_RUNNERS } from './answer-programs.ts';
import { lineOfShell, operandsAt, spellingsOf, type CommandWords } from './spellings-of.ts';

/** Answer codes of a command; empty when it has none that are known. */
export function codesOfProgram(
  words: CommandWords,
  codesOfLine: (line: string) => readonly number[],
): readonly number[] {
  const codes = lookUpProgram(words, { named: codesNamed, ofLine: codesOfLine });
  return typeof codes === 'string' ? expand(codes) : (codes ?? []);
}

/** What is known of the program that a command starts, at last, behind starters and shells. */
export function lookUpProgram<Known, OfLine>(
  words: CommandWords,
  look: {
    /** Undefined for a program that it doesn't know. */
    readonly named: (name: string, args: CommandWords) => Known | undefined;
    /** For the text that a shell is given. */
    readonly ofLine: (line: string) => OfLine;
  },
): Known | OfLine | undefined {
  for (const [name, ...args] of spellingsOf(words)) {
    const line = lineOfShell([name, ...args]);
    if (line !== undefined) return line === null ? undefined : look.ofLine(line);
    const known = look.named(name, args);
    if (known !== undefined) return known;
  }
  return undefined;
}

function codesNamed(name: string, args: CommandWords): string | undefined {
  if (name === 'node') return args.includes('--test') ? '1' : undefined;
  const known = ofProgram(ANSWER_PROGRAMS, { name, args });
  if (known !== undefined) return known;
  return CHECK_SCRIPT.test(scriptOf(name, args)) ? SCRIPT_RUNNERS.get(name) : undefined;
}

/** The row of a program, or of its verb. */
function ofProgram<Row>(
  rows: ReadonlyMap<string, Row>,
  { name, args }: Readonly<{ name: string; args: CommandWords }>,
): Row | undefined {
  const [verb] = wordsAfter(name, args);
  return rows.get(`${name} ${verb}`) ?? rows.get(name);
}

/** The script that a runner is told to run; empty when none is named. */
export function scriptOf(name: string, args: CommandWords): string {
  const [verb, second] = wordsAfter(name, args);
  return (verb === 'run' || verb === 'run-script' || verb === 'task' ? second : verb) ?? '';
}

function wordsAfter(name: string, args: CommandWords): CommandWords {
  return operandsAt(name, args).map((at) => args[at] ?? null);
}

/** `3-5` as numbers. */
export function expand(codes: string): readonly number[] {
  const from = Number.parseInt(codes, 10);
  const to = Number(codes.split('-').at(-1));
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
