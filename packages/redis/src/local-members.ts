import type { Clock, Logger, Member, MemberId } from '@signalbox/core';

/** How often a member looks whether the processes of the others on its machine still run. */
const POLL_MS = 1000;

/** The other members on this machine, whose processes it can see. */
export type LocalMembers = {
  /** Who is known to the backend now. */
  know(members: readonly Member[]): void;
  stop(): void;
};

/** Calls `onEnded` once for each neighbour whose process has ended; again when that failed. */
export function watchNeighbours(options: {
  readonly self: Pick<Member, 'id' | 'host'>;
  readonly hasEnded: (member: Member) => Promise<boolean>;
  readonly onEnded: (member: Member) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}): LocalMembers {
  const { self, hasEnded, onEnded, clock, logger } = options;
  /** Those that others have settled meanwhile are looked at once more. */
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
