import type { CommandResult } from '@signalbox/core';

/** What programs say when they can reach nobody, each as resolvers, curl, git, Node.js and Python word it. */
const SIGNS =
  /EAI_AGAIN|ENOTFOUND|ENETUNREACH|could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable/i;

/** Whether a command failed, and shows that it looked for a network that it did not have. */
export function needsNetwork({
  exitCode,
  network = [],
  stdout,
  stderr,
}: Pick<CommandResult, 'exitCode' | 'network' | 'stdout' | 'stderr'>): boolean {
  if (exitCode === 0) return false;
  return network.some((use) => use.outcome === 'refused') || SIGNS.test(stdout) || SIGNS.test(stderr);
}
