import type { CommandMatcher } from './match/command-matcher.ts';
import type { LineStep } from './lines/line-step.ts';

/** For which programs it is, and how it shortens what they print. */
export type Filter = {
  readonly name: string;
  readonly matchers: readonly CommandMatcher[];
  /** Finds a line that only these programs print: they may be behind `npm test`. Default: no such line. */
  readonly signature?: RegExp;
  /** Finds the line with which they end their output. Default: they print none. */
  readonly isSummary?: (line: string) => boolean;
  /** Applied in order, to each stream by itself. */
  readonly stages: readonly LineStep[];
};
