import type { CommandId, Enqueued, Lease, QueueEntry, Scheduler } from '@signalbox/core';

/** One command's place with the scheduler: in the queue, or under a lease. */
export type Place = {
  enter(entry: QueueEntry): Promise<Enqueued>;
  /** The place is under this lease from now on. */
  hold(lease: Lease): void;
  /** Gives back whatever there is, and does nothing when there is nothing. No process may live under it. */
  leave(): Promise<void>;
};

export function createPlace(id: CommandId, scheduler: Scheduler): Place {
  let entered = false;
  let held: Lease | undefined;
  return {
    async enter(entry) {
      // Before it is asked: it may have been stored although the answer is an error.
      entered = true;
      const answer = await scheduler.enqueue(entry);
      if (answer.kind === 'granted') held = answer.lease;
      return answer;
    },
    hold(lease) {
      held = lease;
    },
    async leave() {
      if (held !== undefined) await scheduler.release(held.leaseId);
      else if (entered) await scheduler.cancel(id);
      held = undefined;
      entered = false;
    },
  };
}
