import { claimsConflict } from '../../leases/claim.ts';
import { InvariantError, LeaseLostError } from '../../errors/errors.ts';
import type { CommandId, LeaseId, ProviderId } from '../../id.ts';
import { FencingToken, type Lease } from '../../leases/lease.ts';
import type { Clock } from '../../ports/clock.ts';
import type { QueueEntry, Scheduler, SchedulerLimits, SchedulerListener } from '../../ports/scheduler.ts';
import { aLeaseId } from '../builders.ts';

/** A queued or leased command. */
type QueuedEntry = { entry: QueueEntry; readonly enteredAt: number; lease?: Lease; deadline: number };

const MAX_BLOCKERS = 20;
const DEFAULTS: SchedulerLimits = {
  maxConcurrent: 3,
  maxQueuePerProvider: 10,
  maxWaitMs: 600_000,
  leaseTtlMs: 30_000,
};

/** A scheduler of a few plain loops, for tests: correct rather than fast. */
export function createMemoryScheduler(clock: Clock, overrides: Partial<SchedulerLimits> = {}): Scheduler {
  const limits = { ...DEFAULTS, ...overrides };
  const { maxConcurrent, maxQueuePerProvider, maxWaitMs, leaseTtlMs } = limits;
  /** In order of arrival. */
  let queued: readonly QueuedEntry[] = [];
  const lost = new Set<LeaseId>();
  /** The newest token of each provider that holds a lease or waits for a slot. */
  const turns = new Map<ProviderId, number>();
  let tokens = 0;
  let listener: SchedulerListener | undefined;
  let kept: ((listener: SchedulerListener) => void)[] = [];

  function tell(notice: (listener: SchedulerListener) => void): void {
    const heard = listener;
    if (heard === undefined) kept.push(notice);
    else queueMicrotask(() => notice(heard));
  }

  function blockersOf(one: QueuedEntry): readonly CommandId[] {
    const earlier = queued.slice(0, queued.indexOf(one));
    const conflicting = earlier.filter(({ entry }) => claimsConflict(entry.claims, one.entry.claims));
    return conflicting.slice(0, MAX_BLOCKERS).map(({ entry }) => entry.commandId);
  }

  const holding = (): readonly QueuedEntry[] => queued.filter(({ lease }) => lease !== undefined);
  const waiting = (): readonly QueuedEntry[] => queued.filter(({ lease }) => lease === undefined);
  const holderOf = (id: LeaseId): QueuedEntry | undefined =>
    queued.find(({ lease }) => lease?.leaseId === id);

  function grant(one: QueuedEntry): Lease {
    tokens += 1;
    const { commandId, provider, claims } = one.entry;
    const grantedAt = clock.now();
    const lease: Lease = {
      leaseId: aLeaseId(`t${tokens}`),
      commandId,
      provider,
      claims,
      fencingToken: FencingToken.parse(tokens),
      grantedAt,
      expiresAt: grantedAt + leaseTtlMs,
    };
    one.lease = lease;
    turns.set(provider, tokens);
    prolong(one);
    return lease;
  }

  function prolong(one: QueuedEntry): void {
    const deadline = clock.monotonic() + leaseTtlMs;
    one.deadline = deadline;
    clock.timer(leaseTtlMs, () => {
      const { lease } = one;
      if (lease === undefined || one.deadline !== deadline || !queued.includes(one)) return;
      lost.add(lease.leaseId);
      tell((hearer) => hearer.lost(lease));
    });
  }

  function ready(one: QueuedEntry): boolean {
    const hasSlot = one.entry.placeless === true || holding().length < maxConcurrent;
    return hasSlot && blockersOf(one).length === 0;
  }

  function fillSlots(): void {
    for (;;) {
      const [next] = waiting()
        .filter(ready)
        .toSorted((a, b) => {
          const [one, other] = [rankOf(a), rankOf(b)];
          const differs = one.findIndex((rank, n) => rank !== other[n]);
          return (one[differs] ?? 0) - (other[differs] ?? 0);
        });
      if (next === undefined) return;
      const lease = grant(next);
      tell((hearer) => hearer.granted(lease));
    }
  }

  /** Entries that need no slot first; then priority, then the leases and the turn of the provider. */
  function rankOf({ entry: { placeless = false, priority, provider } }: QueuedEntry): readonly number[] {
    const held = holding().filter(({ entry }) => entry.provider === provider).length;
    return placeless ? [-1] : [priority, held, turns.get(provider) ?? 0];
  }

  function leave(one: QueuedEntry): void {
    queued = queued.filter((other) => other !== one);
    const known = queued.filter(({ entry, lease }) => lease !== undefined || entry.placeless !== true);
    for (const provider of turns.keys())
      if (!known.some(({ entry }) => entry.provider === provider)) turns.delete(provider);
    fillSlots();
  }

  return {
    leaseTtlMs,
    listen(newListener) {
      listener = newListener;
      const missed = kept;
      kept = [];
      for (const notice of missed) tell(notice);
    },

    async enqueue(entry) {
      if (queued.some((one) => one.entry.commandId === entry.commandId)) {
        throw new InvariantError(`Cannot enqueue "${entry.commandId}": it is in the queue already`);
      }
      const one: QueuedEntry = { entry, enteredAt: clock.monotonic(), deadline: 0 };
      const count = waiting().filter(
        (other) => other.entry.provider === entry.provider && other.entry.placeless !== true,
      ).length;
      queued = [...queued, one];
      if (ready(one)) return { kind: 'granted', lease: grant(one) };
      if (entry.placeless !== true && count >= maxQueuePerProvider) {
        queued = queued.slice(0, -1);
        return { kind: 'refused', waiting: count, limit: maxQueuePerProvider };
      }
      if (entry.placeless !== true && !turns.has(entry.provider)) turns.set(entry.provider, tokens);
      clock.timer(maxWaitMs, () => {
        if (one.lease !== undefined || !queued.includes(one)) return;
        leave(one);
        tell((hearer) => hearer.stale(entry.commandId, clock.monotonic() - one.enteredAt));
      });
      return { kind: 'waiting', blockers: blockersOf(one) };
    },

    async prioritize(commandId, priority) {
      const one = waiting().find(({ entry }) => entry.commandId === commandId);
      if (one === undefined) return false;
      one.entry = { ...one.entry, priority };
      return true;
    },

    async cancel(commandId) {
      const one = waiting().find(({ entry }) => entry.commandId === commandId);
      if (one === undefined) return false;
      leave(one);
      return true;
    },

    async renew(leaseId) {
      const one = holderOf(leaseId);
      if (one?.lease === undefined || lost.has(leaseId)) {
        throw new LeaseLostError(`Cannot renew lease "${leaseId}": it is gone`);
      }
      one.lease = { ...one.lease, expiresAt: clock.now() + leaseTtlMs };
      prolong(one);
      return one.lease;
    },

    async release(leaseId) {
      const one = holderOf(leaseId);
      if (one !== undefined) leave(one);
    },

    async isCurrent({ leaseId, fencingToken }) {
      return holderOf(leaseId)?.lease?.fencingToken === fencingToken && !lost.has(leaseId);
    },

    async snapshot(max) {
      const startedAt = clock.now() - clock.monotonic();
      return {
        waiting: waiting()
          .slice(0, max)
          .map((one) => ({
            ...one.entry,
            since: startedAt + one.enteredAt,
            blockers: blockersOf(one),
          })),
        leases: holding()
          .flatMap(({ lease }) => (lease === undefined ? [] : [lease]))
          .toSorted((a, b) => a.fencingToken - b.fencingToken),
      };
    },
  };
}
