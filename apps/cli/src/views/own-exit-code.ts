import type { Failure } from '@signalbox/core';

/** The exit code for a person: null where the process did not end by itself, which results write as -1. */
export function ownExitCode(result: { readonly exitCode: number | null } | null): number | null {
  const code = result?.exitCode ?? null;
  return code !== null && code >= 0 ? code : null;
}

/** The code other than 0 by which a program answered: `grep` without a match, tests that fail; null of any other ending. */
export function answerCodeOf(
  result: { readonly outcome: { readonly kind: string }; readonly exitCode: number | null } | null,
): number | null {
  return result?.outcome.kind === 'completed' && result.exitCode !== 0 ? result.exitCode : null;
}

/** The failure of a command that was killed for a limit or for its time: its message begins with that word. */
export function killedBy(result: { readonly failure: Failure | null } | null): Failure | null {
  const failure = result?.failure ?? null;
  return failure !== null && KILLED.has(failure.code) ? failure : null;
}

const KILLED: ReadonlySet<string> = new Set(['limit-reached', 'timeout']);
