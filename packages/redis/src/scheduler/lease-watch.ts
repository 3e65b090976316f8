import type { Clock, CommandId, Lease, LeaseId } from '@signalbox/core';

/**
 * The leases of this process, each with a deadline by its own monotonic clock: who can't reach Redis has
 * to know by itself when to stop.
 */
export type LeaseWatch = {
  /** @param leftMs from `askedAt`, the moment before Redis was asked: never later than Redis counts. */
  hold(lease: Lease, askedAt: number, leftMs: number): void;
  /** Calls `onLost`, unless it was lost before. False when this process never had that lease, or has it no more. */
  lose(leaseId: LeaseId): boolean;
  /** One that a dead process has lost: it is this one's to release. */
  takeOverLease(lease: Lease): void;
  /** Whose it is; undefined when this process never had it, or has it no more. */
  commandOf(leaseId: LeaseId): CommandId | undefined;
  forget(leaseId: LeaseId): void;
  isLost(leaseId: LeaseId): boolean;
  stop(): void;
};

type Held = { readonly lease: Lease; cancel: (() => void) | null };

export function createLeaseWatch(clock: Clock, onLost: (lease: Lease) => void): LeaseWatch {
  const held = new Map<LeaseId, Held>();

  const lose = (leaseId: LeaseId): boolean => {
    const known = held.get(leaseId);
    if (known === undefined) return false;
    if (known.cancel === null) return true;
    known.cancel();
    known.cancel = null;
    onLost(known.lease);
    return true;
  };

  return {
    lose,
    hold(lease, askedAt, leftMs) {
      const { leaseId } = lease;
      const before = held.get(leaseId);
      // What is lost stays lost.
      if (before?.cancel === null) return;
      before?.cancel?.();
      const delayMs = Math.max(0, askedAt + leftMs - clock.monotonic());
      held.set(leaseId, { lease, cancel: clock.timer(delayMs, () => void lose(leaseId)) });
    },
    takeOverLease: (lease) => void held.set(lease.leaseId, { lease, cancel: null }),
    commandOf: (leaseId) => held.get(leaseId)?.lease.commandId,
    forget(leaseId) {
      held.get(leaseId)?.cancel?.();
      held.delete(leaseId);
    },
    isLost: (leaseId) => held.get(leaseId)?.cancel === null,
    stop() {
      for (const { cancel } of held.values()) cancel?.();
      held.clear();
    },
  };
}
