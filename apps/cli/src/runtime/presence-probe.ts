import { statSync } from 'node:fs';
import type { Clock, CommandId, Isolation, NodeRecord } from '@signalbox/core';
import { livenessOf, ProcessIdentity } from '@signalbox/embedded';
import type { PresenceProbe } from '@signalbox/redis';
import { processesOfCommand } from '@signalbox/sandbox';
import { markOf } from './workspace-marks.ts';

/**
 * Delay between two negative probes, in milliseconds: a command starting or being killed at the first is visible at the
 * second.
 */
const APART_MS = 900;
/** Bounds memory: some commands are seen once and never queried again. */
const KEPT_PROBES = 10_000;

/** Finds live commands of other nodes on this machine through `/proc`. */
export function createPresenceProbe(options: {
  /** The workspace's `.signalbox`. */
  readonly folder: string;
  readonly host: string;
  /** How commands are confined here. Processes of a container engine are not visible to us. */
  readonly isolation: () => Promise<Isolation>;
  readonly clock: Clock;
}): PresenceProbe {
  const { folder, host, isolation, clock } = options;
  const firstGoneAt = new Map<CommandId, number>();

  /** Processes of another account can't be matched to commands. */
  function isOurAccount({ id }: NodeRecord): boolean {
    const uid = process.getuid?.();
    return uid === 0 || statSync(markOf(folder, id), { throwIfNoEntry: false })?.uid === uid;
  }

  return {
    async sees(member) {
      if (process.platform !== 'linux' || !isOurAccount(member)) return false;
      const identity = ProcessIdentity.safeParse(member.identity);
      if (!identity.success || (await livenessOf(identity.data, host)) === 'unknown') return false;
      return (await isolation()).layer !== 'container';
    },
    isGone(command) {
      if (processesOfCommand(command).length > 0) {
        firstGoneAt.delete(command);
        return false;
      }
      const now = clock.monotonic();
      const first = firstGoneAt.get(command) ?? now;
      firstGoneAt.set(command, first);
      for (const oldest of firstGoneAt.keys()) if (firstGoneAt.size > KEPT_PROBES) firstGoneAt.delete(oldest);
      return now - first >= APART_MS;
    },
  };
}

/** Whether that node's process has ended, as far as this machine can tell. */
export function hasEnded({ identity }: NodeRecord, host: string): Promise<boolean> {
  return isEnded(identity, host);
}

/** The same, by the identity a process left behind; false for any other value. */
export async function isEnded(identity: unknown, host: string): Promise<boolean> {
  const known = ProcessIdentity.safeParse(identity);
  return known.success && (await livenessOf(known.data, host)) === 'dead';
}
