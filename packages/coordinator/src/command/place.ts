import type { Claim, CommandId, Enqueued, Lease, QueueEntry, Scheduler } from '@signalbox/core';

/** One command's place with the scheduler: in the queue, or under a lease. */
export type Place = {
  enter(entry: QueueEntry): Promise<Enqueued>;
  /** The place is under this lease from now on. */
  hold(lease: Lease): void;
  /** Undefined while it waits. */
  lease(): Lease | undefined;
  /**
   * For a command that runs: gives all back and takes these claims instead, in its turn. Nothing of it lives while
   * it waits, so that nobody waits for it.
   *
   * @returns Null when it waited too long, or `signal` was aborted: it holds nothing then.
   */
  exchange(entry: QueueEntry, signal: AbortSignal): Promise<Lease | null>;
  /** Hands the scheduler's grant to an exchange that waits; false when none does. */
  granted(lease: Lease): boolean;
  /** Ends an exchange that waits; false when none does. */
  giveUp(): boolean;
  /** Gives its lease back, if it holds one; a turn in the queue may be another coordinator's by now. No process may live under it. */
  giveBack(): Promise<void>;
  /** Gives back whatever there is, and does nothing when there is nothing. No process may live under it. */
  leave(): Promise<void>;
};

export function createPlace(id: CommandId, scheduler: Scheduler): Place {
  let entered = false;
  let held: Lease | undefined;
  let settle: ((lease: Lease | null) => void) | undefined;

  function end(lease: Lease | null): boolean {
    if (settle === undefined) return false;
    held = lease ?? undefined;
    entered = lease !== null;
    settle(lease);
    settle = undefined;
    return true;
  }

  async function enter(entry: QueueEntry): Promise<Enqueued> {
    // Before it is asked: it may have been stored although the answer is an error.
    entered = true;
    const answer = await scheduler.enqueue(entry);
    if (answer.kind === 'granted') held = answer.lease;
    return answer;
  }

  async function giveBack(): Promise<void> {
    if (held !== undefined) await scheduler.release(held.leaseId);
    held = undefined;
  }

  async function leave(): Promise<void> {
    if (held !== undefined) await giveBack();
    else if (entered) await scheduler.cancel(id);
    entered = false;
  }

  return {
    enter,
    giveBack,
    leave,
    hold(lease) {
      held = lease;
    },
    lease: () => held,
    async exchange(entry, signal) {
      await leave();
      const { promise, resolve } = Promise.withResolvers<Lease | null>();
      // Before it is asked: the grant may come before the answer.
      settle = resolve;
      const answer = await enter(entry);
      if (answer.kind === 'granted') end(answer.lease);
      if (answer.kind === 'refused') end(null);
      const stop = (): void => void leave().then(() => end(null));
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted && settle !== undefined) stop();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    granted: end,
    giveUp: () => end(null),
  };
}

/** What a command holds while it runs, and how that changes. */
export type Hold = {
  /** Undefined while it waits for other claims. */
  lease(): Lease | undefined;
  /** {@link Place.exchange}; `placeless` when no process of it will start under the new lease. */
  exchange(
    claims: readonly Claim[],
    options: { readonly placeless: boolean; readonly signal: AbortSignal },
  ): Promise<Lease | null>;
};
