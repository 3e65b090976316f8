import { claimsConflict } from '../claim.ts';
import { InvariantError, LeaseLostError } from '../errors.ts';
import type { CommandId, LeaseId, ProviderId } from '../id.ts';
import { FencingToken, type Lease } from '../lease.ts';
import type { Clock } from '../ports/clock.ts';
import type { QueueEntry, Scheduler, SchedulerLimits, SchedulerListener } from '../ports/scheduler.ts';
import { aLeaseId } from './builders.ts';

/** A queued or leased command. */
type Member = { entry: QueueEntry; readonly enteredAt: number; lease?: Lease; deadline: number };

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
  let members: readonly Member[] = [];
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

  function blockersOf(member: Member): readonly CommandId[] {
    const earlier = members.slice(0, members.indexOf(member));
    const conflicting = earlier.filter(({ entry }) => claimsConflict(entry.claims, member.entry.claims));
    return conflicting.slice(0, MAX_BLOCKERS).map(({ entry }) => entry.commandId);
  }

  const holding = (): readonly Member[] => members.filter(({ lease }) => lease !== undefined);
  const waiting = (): readonly Member[] => members.filter(({ lease }) => lease === undefined);
  const holderOf = (id: LeaseId): Member | undefined => members.find(({ lease }) => lease?.leaseId === id);

  function grant(member: Member): Lease {
    tokens += 1;
    const { commandId, provider, claims } = member.entry;
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
    member.lease = lease;
    turns.set(provider, tokens);
    prolong(member);
    return lease;
  }

  function prolong(member: Member): void {
    const deadline = clock.monotonic() + leaseTtlMs;
    member.deadline = deadline;
    clock.timer(leaseTtlMs, () => {
      const { lease } = member;
      if (lease === undefined || member.deadline !== deadline || !members.includes(member)) return;
      lost.add(lease.leaseId);
      tell((hearer) => hearer.lost(lease));
    });
  }

  function ready(member: Member): boolean {
    const hasSlot = member.entry.placeless === true || holding().length < maxConcurrent;
    return hasSlot && blockersOf(member).length === 0;
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
  function rankOf({ entry: { placeless = false, priority, provider } }: Member): readonly number[] {
    const held = holding().filter(({ entry }) => entry.provider === provider).length;
    return placeless ? [-1] : [priority, held, turns.get(provider) ?? 0];
  }

  function leave(member: Member): void {
    members = members.filter((other) => other !== member);
    const known = members.filter(({ entry, lease }) => lease !== undefined || entry.placeless !== true);
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
      if (members.some((member) => member.entry.commandId === entry.commandId)) {
        throw new InvariantError(`Cannot enqueue "${entry.commandId}": it is in the queue already`);
      }
      const member: Member = { entry, enteredAt: clock.monotonic(), deadline: 0 };
      const count = waiting().filter(
        (other) => other.entry.provider === entry.provider && other.entry.placeless !== true,
      ).length;
      members = [...members, member];
      if (ready(member)) return { kind: 'granted', lease: grant(member) };
      if (entry.placeless !== true && count >= maxQueuePerProvider) {
        members = members.slice(0, -1);
        return { kind: 'refused', waiting: count, limit: maxQueuePerProvider };
      }
      if (entry.placeless !== true && !turns.has(entry.provider)) turns.set(entry.provider, tokens);
      clock.timer(maxWaitMs, () => {
        if (member.lease !== undefined || !members.includes(member)) return;
        leave(member);
        tell((hearer) => hearer.stale(entry.commandId, clock.monotonic() - member.enteredAt));
      });
      return { kind: 'waiting', blockers: blockersOf(member) };
    },

    async prioritize(commandId, priority) {
      const member = waiting().find(({ entry }) => entry.commandId === commandId);
      if (member === undefined) return false;
      member.entry = { ...member.entry, priority };
      return true;
    },

    async cancel(commandId) {
      const member = waiting().find(({ entry }) => entry.commandId === commandId);
      if (member === undefined) return false;
      leave(member);
      return true;
    },

    async renew(leaseId) {
      const member = holderOf(leaseId);
      if (member?.lease === undefined || lost.has(leaseId)) {
        throw new LeaseLostError(`Cannot renew lease "${leaseId}": it is gone`);
      }
      member.lease = { ...member.lease, expiresAt: clock.now() + leaseTtlMs };
      prolong(member);
      return member.lease;
    },

    async release(leaseId) {
      const member = holderOf(leaseId);
      if (member !== undefined) leave(member);
    },

    async isCurrent({ leaseId, fencingToken }) {
      return holderOf(leaseId)?.lease?.fencingToken === fencingToken && !lost.has(leaseId);
    },

    async snapshot(most) {
      const startedAt = clock.now() - clock.monotonic();
      return {
        waiting: waiting()
          .slice(0, most)
          .map((member) => ({
            ...member.entry,
            since: startedAt + member.enteredAt,
            blockers: blockersOf(member),
          })),
        leases: holding()
          .flatMap(({ lease }) => (lease === undefined ? [] : [lease]))
          .toSorted((a, b) => a.fencingToken - b.fencingToken),
      };
    },
  };
}
