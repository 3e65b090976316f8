import type { Execution } from '@signalbox/core';

/**
 * For an unsuccessful command without a network: that it tried to connect, and what a person can do about it.
 *
 * Based on the connection attempts counted by the kernel, because programs' own messages differ.
 */
export function offlineLines({ connectionAttempts, ended }: Execution): readonly string[] {
  if (connectionAttempts === undefined || (ended.kind === 'exited' && ended.exitCode === 0)) return [];
  const { loopback, away } = connectionAttempts;
  const tried = [
    ...(loopback > 0
      ? [`tried to reach a server on 127.0.0.1 or ::1, which is private to each command${countOf(loopback)}`]
      : []),
    ...(away > 0 ? [`tried to reach other hosts and was blocked${countOf(away)}`] : []),
  ];
  return [
    `this ran without network: it ${tried.join('; it ')}`,
    ...(loopback > 0 ? [SERVICES] : []),
    ...(away > 0 ? [HOSTS] : []),
  ];
}

function countOf(connections: number): string {
  return ` (${connections} connection${connections === 1 ? '' : 's'})`;
}

const SERVICES =
  'A person can allow a service on this machine, such as a database: sandbox.network.services in .signalbox/local.yaml';
const HOSTS =
  'A person can allow lines to reach hosts: signalbox network, or sandbox.network.hosts in their own settings';
