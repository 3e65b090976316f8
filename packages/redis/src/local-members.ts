import type { Clock, Logger, Member, MemberId } from '@signalbox/core';

/** Interval between checks whether the other members' processes still run. */
const POLL_MS = 1000;

/** The other members on this machine, whose processes it can see. */
export type LocalMembers = {
  /** Sets the members currently known to the backend. */
  know(members: readonly Member[]): void;
  stop(): void;
};

/** Calls `onEnded` once for each neighbour whose process has ended, and again if that failed. */
export function watchNeighbours(options: {
  readonly self: Pick<Member, 'id' | 'host'>;
  readonly hasEnded: (member: Member) => Promise<boolean>;
  readonly onEnded: (member: Member) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}): LocalMembers {
  const { self, hasEnded, onEnded, clock, logger } = options;
  /** Members that others settled meanwhile are checked once more. */
  const watched = new Map<MemberId, Member>();
  const ended = new Set<MemberId>();
  let listed: ReadonlySet<MemberId> = new Set();
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
