import type { Execution } from '@signalbox/core';

/**
 * Of a command without a network that did not succeed: that it tried to connect, and what a person can do about it.
 *
 * Said where the kernel counted that it tried to connect; what programs print about it differs.
 */
export function offlineLines({ connectionAttempts, ended }: Execution): readonly string[] {
  if (connectionAttempts === undefined || (ended.kind === 'exited' && ended.exitCode === 0)) return [];
  const { loopback, away } = connectionAttempts;
  const tried = [
    ...(loopback > 0 ? [`${loopback} on 127.0.0.1 or ::1, which is its own here`] : []),
    ...(away > 0 ? [`${away} to other hosts`] : []),
  ];
  return [
    `this ran without network: the kernel counted connections that found nobody: ${tried.join(', ')}`,
    ...(loopback > 0 ? [SERVICES] : []),
    ...(away > 0 ? [HOSTS] : []),
  ];
}

const SERVICES =
  'A person can list a service of this machine, such as a database: sandbox.network.services in .signalbox/local.yaml';
const HOSTS =
  'A person can let lines reach hosts: signalbox network, or sandbox.network.hosts in their own settings';
