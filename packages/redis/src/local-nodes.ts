import type { Clock, Logger, NodeRecord, NodeId } from '@signalbox/core';

/** Interval between checks whether the other members' processes still run. */
const POLL_MS = 1000;

/** The other members on this machine, whose processes it can see. */
export type LocalNodes = {
  /** Sets the members currently known to the backend. */
  know(members: readonly NodeRecord[]): void;
  stop(): void;
};

/** Calls `onEnded` once for each neighbour whose process has ended, and again if that failed. */
export function watchNeighbours(options: {
  readonly self: Pick<NodeRecord, 'id' | 'host'>;
  readonly hasEnded: (member: NodeRecord) => Promise<boolean>;
  readonly onEnded: (member: NodeRecord) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}): LocalNodes {
  const { self, hasEnded, onEnded, clock, logger } = options;
  /** Members that others settled meanwhile are checked once more. */
  const watched = new Map<NodeId, NodeRecord>();
  const ended = new Set<NodeId>();
  let listed: ReadonlySet<NodeId> = new Set();
  let stopped = false;
  let cancel = clock.timer(POLL_MS, () => void poll());

  async function poll(): Promise<void> {
    for (const member of watched.values()) {
      try {
        if (!(await hasEnded(member))) {
          if (!listed.has(member.id)) watched.delete(member.id);
          continue;
        }
        await onEnded(member);
        ended.add(member.id);
        watched.delete(member.id);
      } catch (error) {
        logger.debug({ error, member: member.id }, 'ended process not reported; the next look tries again');
      }
    }
    if (!stopped) cancel = clock.timer(POLL_MS, () => void poll());
  }

  return {
    know(members) {
      listed = new Set(members.map(({ id }) => id));
      for (const id of ended) if (!listed.has(id)) ended.delete(id);
      for (const member of members) {
        if (member.id === self.id || member.host !== self.host || ended.has(member.id)) continue;
        watched.set(member.id, member);
      }
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
