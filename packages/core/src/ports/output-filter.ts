import type { FilterUse } from '../commands/filter-use.ts';
import type { ProviderId } from '../id.ts';

/**
 * A program of a shell line in each of its spellings, from the written one to the one that it starts: `npx vitest run`,
 * `vitest run`. A word that is known only at run time is null.
 */
export type PrintingProgram = readonly (readonly (string | null)[])[];

/** Programs connected by pipes, in order: the last one prints. */
export type PrintingPipe = readonly PrintingProgram[];

/** The redacted output of a command. */
export type PrintedOutput = {
  /** In order; empty for a line that can't be parsed. */
  readonly pipes: readonly PrintingPipe[];
  readonly provider: ProviderId;
  readonly stdout: string;
  readonly stderr: string;
};

export type FilteredOutput = {
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of each stream that are not in its text. */
  readonly leftOut: { readonly stdout: number; readonly stderr: number };
  readonly use: FilterUse;
};

/** Shortens the output of a command for a model. Pure, and linear in the length of the output. */
export interface OutputFilter {
  /** Null when the model should read the output as it is. Never throws. */
  filter(output: PrintedOutput): FilteredOutput | null;
  /**
   * Whether personal paths are hidden in it. Never in what shows the content of files: a model writes that back.
   */
  hidesPaths(pipes: PrintedOutput['pipes']): boolean;
}
