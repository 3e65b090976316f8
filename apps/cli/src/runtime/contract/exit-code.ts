/** Exit code of the process; `EXIT_CODES` lists the meanings. `exec` exits with the code of its command. */
export type ExitCode = number;

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  needsApproval: 4,
  conflict: 5,
  unavailable: 6,
  lost: 7,
  limit: 8,
  bug: 70,
  timedOut: 124,
  neverRan: 125,
  interrupted: 130,
  terminated: 143,
} as const;

/** For help and docs/cli.md. */
export const EXIT_CODES: readonly (readonly [string, string])[] = [
  ['0', 'ok (`check`: allow)'],
  ['1', 'failed: a command, test or check failed'],
  ['2', 'usage: flags, config, unknown or ambiguous id'],
  ['3', 'denied: by rule, mode, person, expiry; or blocked (`check`: deny)'],
  ['4', 'needs an approval, and no one can be asked (`check`: ask)'],
  ['5', 'conflict: stale write, already decided, changed since'],
  ['6', 'unavailable: coordinator or provider; try later'],
  ['7', "lost: a command's effects are unknown; check before you continue"],
  ['8', 'limit: budget, quota, rate or queue full'],
  ['70', 'a bug in Signalbox; prints the path of a report'],
  ['124', 'timed out'],
  ['125', '`exec` only: the line never ran'],
  ['130, 143', 'Ctrl-C, SIGTERM, after all processes have exited'],
  ['0–255', "`exec`: the process's own code, when it ran"],
];
