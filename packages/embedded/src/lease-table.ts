import {
  type Clock,
  createId,
  FencingToken,
  type Lease,
  type LeaseId,
  LeaseLostError,
  type QueueEntry,
  type RandomBytes,
} from '@signalbox/core';
import { createAlarm } from './alarm.ts';

/** The open leases: active ones, and lost ones until they are released. */
export type LeaseTable<Held> = {
  /** Creates a lease for a granted entry; `held` is returned by `close`. */
  open(entry: QueueEntry, held: Held): Lease;
  /** @throws {LeaseLostError} */
  renew(leaseId: LeaseId): Lease;
  /** What was held under it; undefined if the lease is not open. */
  close(leaseId: LeaseId): Held | undefined;
  isCurrent(lease: Lease): boolean;
  size(): number;
  list(): readonly Lease[];
  stop(): void;
};

type Page<Held> = { lease: Lease; readonly held: Held; deadline: number };

/**
 * Deadlines use the monotonic clock, so setting the machine's clock expires nothing; the `expiresAt` shown to people
 * uses the wall clock.
 *
 * @param options.onLost called once for a lease that expired, before its loss is visible anywhere else.
 */
export function createLeaseTable<Held>(options: {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly ttlMs: number;
  readonly nextFencingToken: () => number;
  readonly onLost: (lease: Lease) => void;
}): LeaseTable<Held> {
  const { clock, random, ttlMs } = options;
  const pages = new Map<LeaseId, Page<Held>>();
  /** In order of expiry: renewing moves a lease to the end. */
  const living = new Set<Page<Held>>();

  const loseExpired = (): void => {
    const now = clock.monotonic();
    for (const page of living) {
      if (page.deadline > now) break;
      living.delete(page);
      options.onLost(page.lease);
    }
  };

  const alarm = createAlarm(clock, () => {
    loseExpired();
    return firstOf(living)?.deadline ?? null;
  });

  const prolong = (page: Page<Held>): void => {
    page.deadline = clock.monotonic() + ttlMs;
    living.delete(page);
    living.add(page);
    alarm.setFor(page.deadline);
  };

  return {
    open(entry, held) {
      const grantedAt = clock.now();
      const lease: Lease = {
        leaseId: createId('lease', random),
        commandId: entry.commandId,
        provider: entry.provider,
        claims: entry.claims,
        fencingToken: options.nextFencingToken() as FencingToken,
        grantedAt,
        expiresAt: grantedAt + ttlMs,
      };
      const page: Page<Held> = { lease, held, deadline: 0 };
      pages.set(lease.leaseId, page);
      prolong(page);
      return lease;
    },
    renew(leaseId) {
      loseExpired();
      const page = pages.get(leaseId);
      if (page === undefined) throw new LeaseLostError(`Cannot renew lease "${leaseId}": it was released`);
      if (!living.has(page)) throw new LeaseLostError(`Cannot renew lease "${leaseId}": it has expired`);
      page.lease = { ...page.lease, expiresAt: clock.now() + ttlMs };
      prolong(page);
      return page.lease;
    },
    close(leaseId) {
      const page = pages.get(leaseId);
      if (page === undefined) return undefined;
      pages.delete(leaseId);
      living.delete(page);
      return page.held;
    },
    isCurrent({ leaseId, fencingToken }) {
      loseExpired();
      const page = pages.get(leaseId);
      return page !== undefined && living.has(page) && page.lease.fencingToken === fencingToken;
    },
    size: () => pages.size,
    list: () => [...pages.values()].map(({ lease }) => lease),
    stop: () => alarm.stop(),
  };
}

function firstOf<Item>(items: Iterable<Item>): Item | undefined {
  for (const item of items) return item;
  return undefined;
}
