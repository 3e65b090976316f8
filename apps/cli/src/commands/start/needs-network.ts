import type { CommandResult } from '@signalbox/core';

/** Error texts of programs without a network: resolvers, curl, git, Node.js and Python. */
const SIGNS =
  /EAI_AGAIN|ENOTFOUND|ENETUNREACH|could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable/i;

/** Whether a command failed with signs of missing network access. */
export function needsNetwork({
  exitCode,
  network = [],
  stdout,
  stderr,
}: Pick<CommandResult, 'exitCode' | 'network' | 'stdout' | 'stderr'>): boolean {
  if (exitCode === 0) return false;
  return network.some((use) => use.outcome === 'refused') || SIGNS.test(stdout) || SIGNS.test(stderr);
}
