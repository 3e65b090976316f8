import type { Failure } from '@signalbox/core';

/** The exit code for a person: null where the process did not end by itself, which results write as -1. */
export function ownExitCode(result: { readonly exitCode: number | null } | null): number | null {
  const code = result?.exitCode ?? null;
  return code !== null && code >= 0 ? code : null;
}

/** The failure of a command that was killed for a limit or for its time: its message begins with that word. */
export function killedBy(result: { readonly failure: Failure | null } | null): Failure | null {
  const failure = result?.failure ?? null;
  return failure !== null && KILLED.has(failure.code) ? failure : null;
}

const KILLED: ReadonlySet<string> = new Set(['limit-reached', 'timeout']);
