import type { Span } from '@signalbox/core';

/** A program and its words as they are once quotes are gone; null stands for what only running the line tells. */
export type SimpleCommand = Readonly<{
  program: string | null;
  args: readonly (string | null)[];
  /** Of the line. */
  span: Span;
}>;

export type LineCommands = Readonly<{
  /** Every simple command at any depth, substitutions too. */
  commands: readonly SimpleCommand[];
  /** What wrappers among them may start: `timeout 5 npm publish`, `sh -c 'npm publish'`. More than they really do. */
  inner: readonly SimpleCommand[];
  /**
   * Whether simple commands in chains and pipes are all there is: no assignment, redirect into a file,
   * substitution, block, function or background job.
   */
  isPlain: boolean;
}>;

/** `/usr/bin/npm` and `npm` start the same program, as far as holding back goes. */
export function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1).toLowerCase();
}
