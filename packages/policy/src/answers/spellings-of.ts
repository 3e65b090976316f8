import { type AnswerProgram, STARTERS, VALUED_OPTIONS } from './answer-programs.ts';

/** The words of a command; null for a word that is known only at run time. */
export type CommandWords = readonly (string | null)[];

/** A program and its words. */
type Spelling = readonly [program: string, ...args: CommandWords];

/** Nested starters: `timeout 60 npx cross-env CI=1 vitest`. */
const MAX_STARTERS = 8;
const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'zsh']);
/** Folders in which projects and machines keep programs under their own names; `./gradlew` is outside such a folder. */
const WITH_FOLDER = /^(?:.*\/)?\.?bin\/([^/]+)$|^\.\/(gradlew|mvnw)$/;

/**
 * A command in each of its spellings, from the written one to the one that it starts: `npx vitest run`, `vitest run`.
 * Programs have their own names, without the folder. The last is empty where a starter starts nothing.
 */
export function* spellingsOf(words: CommandWords): Generator<Spelling, void> {
  let rest = words;
  for (let starters = 0; starters < MAX_STARTERS; starters++) {
    const [first, ...args] = rest;
    if (first === undefined || first === null) return;
    const folder = WITH_FOLDER.exec(first);
    const name = folder?.[1] ?? folder?.[2] ?? first;
    yield [name, ...args];
    const starter = STARTERS.get(name);
    if (starter === undefined) return;
    rest = startedBy(starter, args, { operands: operandsAt(name, args) });
  }
}

/** The line of `bash -lc 'npm test'`; null for a script or an unknown line, undefined for any other program. */
export function lineOfShell([name, ...args]: Spelling): string | null | undefined {
  if (!SHELLS.has(name)) return undefined;
  const at = args.findIndex((word) => word !== null && /^-[a-z]*c$/.test(word));
  return at === -1 ? null : (args[at + 1] ?? null);
}

/** The words from the started program on; empty when there is none. */
function startedBy(
  { verbs, isVerbOptional, own = 0, option }: AnswerProgram,
  args: CommandWords,
  { operands }: Readonly<{ operands: readonly number[] }>,
): CommandWords {
  if (option !== undefined) return args.includes(option) ? args.slice(args.indexOf(option) + 1) : [];
  const first = operands[0];
  const hasVerb = first !== undefined && verbs?.includes(args[first] ?? '') === true;
  if (verbs !== undefined && !hasVerb && isVerbOptional !== true) return [];
  const start = operands[own + (hasVerb ? 1 : 0)];
  return start === undefined ? [] : args.slice(start);
}

/** Positions of words that are neither options, values of options nor assignments. */
export function operandsAt(name: string, args: CommandWords): readonly number[] {
  const valued = VALUED_OPTIONS.get(name) ?? [];
  return [...args.keys()].filter((at) => {
    const word = args[at] ?? '';
    return !/^-|^\w+=/.test(word) && !valued.includes(args[at - 1] ?? '');
  });
}
