import { statSync } from 'node:fs';
import type { Clock, CommandId, Isolation, Member } from '@signalbox/core';
import { livenessOf, ProcessIdentity } from '@signalbox/embedded';
import type { PresenceProbe } from '@signalbox/redis';
import { processesOfCommand } from '@signalbox/sandbox';
import { markOf } from './workspace-marks.ts';

/** Between the two looks that find nothing: what is being started or killed at the first is seen at the second. */
const APART_MS = 900;
/** Of commands that were seen once and never asked for again. */
const KEPT_PROBES = 10_000;

/** What this process can tell of the commands of others on its machine, by asking `/proc`. */
export function createPresenceProbe(options: {
  /** The workspace's `.signalbox`. */
  readonly folder: string;
  readonly host: string;
  /** What confines commands here: those of a container's engine are not ours to see. */
  readonly isolation: () => Promise<Isolation>;
  readonly clock: Clock;
}): PresenceProbe {
  const { folder, host, isolation, clock } = options;
  const firstGoneAt = new Map<CommandId, number>();

  /** Of another account's processes nobody is told whose commands they are. */
  function isOurAccount({ id }: Member): boolean {
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

/** Whether that member's process has ended, as far as this machine can tell. */
export function hasEnded({ identity }: Member, host: string): Promise<boolean> {
  return isEnded(identity, host);
}

/** The same by the identity that a process left of itself; false of anything else. */
export async function isEnded(identity: unknown, host: string): Promise<boolean> {
  const known = ProcessIdentity.safeParse(identity);
  return known.success && (await livenessOf(known.data, host)) === 'dead';
}
