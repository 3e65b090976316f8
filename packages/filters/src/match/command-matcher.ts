import type { PrintingProgram } from '@signalbox/core';

/** A regular expression with a bound on its work: `steps` for each character. */
export type BoundedRegex = { readonly steps: number; finds(text: string): boolean };
/** @throws for a pattern that can't be used; the message says why. */
export type CompileRegex = (pattern: string) => BoundedRegex;

/** The programs that a filter is for (S001-44). */
export type CommandMatcher =
  /** All words: `npm test`. */
  | { readonly kind: 'exact'; readonly command: string }
  /** The first words: `npm run` is for `npm run build`, not for `npm runner`. */
  | { readonly kind: 'prefix'; readonly command: string }
  /** Found in the words, joined by spaces. */
  | { readonly kind: 'regex'; readonly regex: Pick<BoundedRegex, 'finds'> }
  /** For code. */
  | { readonly kind: 'custom'; readonly matches: (words: readonly (string | null)[]) => boolean };

/** A matcher for each of these first words. */
export function prefixes(...commands: readonly string[]): readonly CommandMatcher[] {
  return commands.map((command) => ({ kind: 'prefix', command }));
}

/** Whether a matcher is for one of the spellings of a program. */
export function matchesProgram(matcher: CommandMatcher, program: PrintingProgram): boolean {
  return program.some((words) => matchesWords(matcher, words));
}

function matchesWords(matcher: CommandMatcher, words: readonly (string | null)[]): boolean {
  switch (matcher.kind) {
    case 'exact':
      return startsWith(words, matcher.command) && words.length === wordsOf(matcher.command).length;
    case 'prefix':
      return startsWith(words, matcher.command);
    case 'regex':
      return matcher.regex.finds(words.map((word) => word ?? '…').join(' '));
    case 'custom':
      return matcher.matches(words);
  }
}

function startsWith(words: readonly (string | null)[], command: string): boolean {
  return wordsOf(command).every((word, at) => words[at] === word);
}

function wordsOf(command: string): readonly string[] {
  return command.split(' ').filter((word) => word !== '');
}
