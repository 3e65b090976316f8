import type { Clock, CommandId, Lease, LeaseId } from '@signalbox/core';

/**
 * Remaining time of a lease: `leftMs` counted from `askedAt`, the moment before the request to Redis, so never later
 * than Redis's own deadline.
 */
export type LeaseTime = { readonly askedAt: number; readonly leftMs: number };

/**
 * The leases of this process, each with a deadline on its own monotonic clock: a process that can't reach Redis must
 * know by itself when to stop.
 */
export type LeaseWatch = {
  hold(lease: Lease, time: LeaseTime): void;
  /** Calls `onLost`, unless it was lost before. False if this process never held the lease, or no longer does. */
  lose(leaseId: LeaseId): boolean;
  /** Adds a lease lost by a dead process: this process must release it. */
  takeOverLease(lease: Lease): void;
  /** The command of a lease; undefined if this process never held it, or no longer does. */
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
    hold(lease, { askedAt, leftMs }) {
      const { leaseId } = lease;
      const before = held.get(leaseId);
      // A lost lease stays lost.
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
