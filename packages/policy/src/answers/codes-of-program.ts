import {
  ANSWER_PROGRAMS,
  CHECK_SCRIPT,
  SCRIPT_RUNNERS,
  type AnswerProgram,
  STARTERS,
  VALUED_OPTIONS,
} from './answer-programs.ts';

/** The words of a command; null for a word that is known only at run time. */
type Words = readonly (string | null)[];
type CodesOfLine = (line: string) => readonly number[];

/** Nested starters: `timeout 60 npx cross-env CI=1 vitest`. */
const MAX_STARTERS = 8;
const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'zsh']);
/** Folders in which projects and machines keep programs under their own names; `./gradlew` is outside such a folder. */
const WITH_FOLDER = /^(?:.*\/)?\.?bin\/([^/]+)$|^\.\/(gradlew|mvnw)$/;

/** Answer codes of a command; empty when it has none that are known. */
export function codesOfProgram(words: Words, codesOfLine: CodesOfLine): readonly number[] {
  let rest = words;
  for (let starters = 0; starters < MAX_STARTERS; starters++) {
    const [first = null, ...args] = rest;
    if (first === null) return [];
    const folder = WITH_FOLDER.exec(first);
    const name = folder?.[1] ?? folder?.[2] ?? first;
    if (SHELLS.has(name)) return codesOfShell(args, codesOfLine);
    const codes = codesNamed(name, args);
    if (codes !== undefined) return expand(codes);
    const starter = STARTERS.get(name);
    if (starter === undefined) return [];
    rest = startedBy(starter, args, { operands: operandsAt(name, args) });
  }
  return [];
}

/** `bash -lc 'npm test'`; the codes of a script are unknown. */
function codesOfShell(args: Words, codesOfLine: CodesOfLine): readonly number[] {
  const at = args.findIndex((word) => word !== null && /^-[a-z]*c$/.test(word));
  const text = at === -1 ? null : (args[at + 1] ?? null);
  return text === null ? [] : codesOfLine(text);
}

function codesNamed(name: string, args: Words): string | undefined {
  if (name === 'node') return args.includes('--test') ? '1' : undefined;
  const [verb, second] = operandsAt(name, args).map((at) => args[at]);
  const known = ANSWER_PROGRAMS.get(`${name} ${verb}`) ?? ANSWER_PROGRAMS.get(name);
  if (known !== undefined) return known;
  const script = verb === 'run' || verb === 'run-script' || verb === 'task' ? second : verb;
  return CHECK_SCRIPT.test(script ?? '') ? SCRIPT_RUNNERS.get(name) : undefined;
}

/** The words from the started program on; empty when there is none. */
function startedBy(
  { verbs, isVerbOptional, own = 0, option }: AnswerProgram,
  args: Words,
  { operands }: Readonly<{ operands: readonly number[] }>,
): Words {
  if (option !== undefined) return args.includes(option) ? args.slice(args.indexOf(option) + 1) : [];
  const first = operands[0];
  const hasVerb = first !== undefined && verbs?.includes(args[first] ?? '') === true;
  if (verbs !== undefined && !hasVerb && isVerbOptional !== true) return [];
  const start = operands[own + (hasVerb ? 1 : 0)];
  return start === undefined ? [] : args.slice(start);
}

/** Positions of words that are neither options, values of options nor assignments. */
function operandsAt(name: string, args: Words): readonly number[] {
  const valued = VALUED_OPTIONS.get(name) ?? [];
  return [...args.keys()].filter((at) => {
    const word = args[at] ?? '';
    return !/^-|^\w+=/.test(word) && !valued.includes(args[at - 1] ?? '');
  });
}

/** `3-5` as numbers. */
export function expand(codes: string): readonly number[] {
  const from = Number.parseInt(codes, 10);
  const to = Number(codes.split('-').at(-1));
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
