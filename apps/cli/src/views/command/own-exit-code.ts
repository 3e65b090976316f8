import type { Failure } from '@signalbox/core';

/** The exit code for display: null if the process did not exit by itself, which results encode as -1. */
export function ownExitCode(result: { readonly exitCode: number | null } | null): number | null {
  const code = result?.exitCode ?? null;
  return code !== null && code >= 0 ? code : null;
}

/** A program's exit code other than 0: `grep` without a match, failing tests; null for any other end. */
export function answerCodeOf(
  result: { readonly outcome: { readonly kind: string }; readonly exitCode: number | null } | null,
): number | null {
  return result?.outcome.kind === 'completed' && result.exitCode !== 0 ? result.exitCode : null;
}

/** The failure of a command that was killed at a limit or its timeout: its message begins with that word. */
export function killedBy(result: { readonly failure: Failure | null } | null): Failure | null {
  const failure = result?.failure ?? null;
  return failure !== null && KILLED.has(failure.code) ? failure : null;
}

const KILLED: ReadonlySet<string> = new Set(['limit-reached', 'timeout']);
