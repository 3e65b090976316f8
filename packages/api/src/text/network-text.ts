import type { CommandResult, NetworkUse } from '@signalbox/core';

type Result = Pick<CommandResult, 'network'> | null | undefined;

/** What to do when a command's network gate denied a host; shown with every denial. */
export const NETWORK_REMEDY =
  'To change which hosts lines reach: signalbox network, or sandbox.network.hosts in your own settings';

/** The connections that the gate denied; a command's own error says only that one failed. */
export function refusedIn(result: Result): readonly NetworkUse[] {
  return (result?.network ?? []).filter(({ outcome }) => outcome === 'refused');
}

/** `"evil.example:80" is not among the hosts of this command: none (3 times)`: the reason usually names the host. */
export function refusalText({ target, why, connections }: NetworkUse): string {
  const host = target.replace(/:\d+$/, '');
  const times = connections > 1 ? ` (${connections} times)` : '';
  return `${why === null ? target : why.includes(host) ? why : `${target}: ${why}`}${times}`;
}
