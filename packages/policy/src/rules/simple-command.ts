import type { Span } from '@signalbox/core';

/** A program and its words after quote removal; null for a word that is known only at run time. */
export type SimpleCommand = Readonly<{
  program: string | null;
  args: readonly (string | null)[];
  /** Position in the line. */
  span: Span;
}>;

export type LineCommands = Readonly<{
  /** Every simple command at any depth, substitutions too. */
  commands: readonly SimpleCommand[];
  /**
   * Commands that wrappers among them may start: `timeout 5 npm publish`, `sh -c 'npm publish'`. A superset of what
   * they really do.
   */
  inner: readonly SimpleCommand[];
  /**
   * Whether the line consists only of simple commands in chains and pipes: no assignment, redirect into a file,
   * substitution, block, function or background job.
   */
  isPlain: boolean;
}>;

/** `/usr/bin/npm` and `npm` count as the same program for rules that hold back. */
export function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1).toLowerCase();
}
