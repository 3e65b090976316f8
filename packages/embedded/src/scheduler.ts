import {
  type Clock,
  type CommandId,
  createSchedulerNotices,
  InvariantError,
  type Lease,
  type QueueEntry,
  type RandomBytes,
  type Scheduler,
  type SchedulerLimits,
} from '@signalbox/core';
import { createAlarm } from './alarm.ts';
import { createLeaseTable } from './lease-table.ts';
import { createSlotQueue } from './slot-queue.ts';
import { createScoreboard, type Ticket } from './scoreboard.ts';
import { createShares, type Shares } from './shares.ts';

export type EmbeddedSchedulerOptions = {
  readonly limits: SchedulerLimits;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Gives numbers that only grow, over restarts too. Default: 1, 2, 3 … of this scheduler alone. */
  readonly nextFencingToken?: () => number;
};

export type EmbeddedScheduler = Scheduler & {
  /** Stops its timers: no lease is lost and no entry grows stale from now on. */
  close(): void;
};

/** A command in the queue or under a lease, with its ticket on the scoreboard. */
type Member = {
  /** Its priority may change while it waits. */
  entry: QueueEntry;
  /** Moment of the monotonic clock when it came. */
  readonly enteredAt: number;
};

const MAX_BLOCKERS = 20;

/**
 * The scheduler of one process: the scoreboard says whose claims are free, then the places are filled by
 * priority, in fair shares. A place is never free while somebody is ready.
 */
export function createScheduler(options: EmbeddedSchedulerOptions): EmbeddedScheduler {
  const { limits, clock, random, nextFencingToken = countFromOne() } = options;
  /** By arrival, and so by the moment they grow stale. */
  const waiting = new Map<CommandId, Ticket<Member>>();
  const shares = createShares();
  const holding = new Set<CommandId>();
  const board = createScoreboard<Member>();
  const ready = createSlotQueue<Ticket<Member>>(providerOf, (a, b) => startsBefore(a, b, shares));
  const notices = createSchedulerNotices();
  const leases = createLeaseTable<Ticket<Member>>({
    clock,
    random,
    ttlMs: limits.leaseTtlMs,
    nextFencingToken,
    onLost: (lease) => notices.send((listener) => listener.lost(lease)),
  });

  const stale = createAlarm(clock, () => {
    const now = clock.monotonic();
    for (const ticket of waiting.values()) {
      const { entry, enteredAt } = ticket.owner;
      const waitedMs = now - enteredAt;
      if (waitedMs < limits.maxWaitMs) return enteredAt + limits.maxWaitMs;
      leaveQueue(ticket);
      notices.send((listener) => listener.stale(entry.commandId, waitedMs));
    }
    return null;
  });

  const grant = (ticket: Ticket<Member>): Lease => {
    holding.add(ticket.owner.entry.commandId);
    shares.granted(ticket.owner.entry.provider);
    return leases.open(ticket.owner.entry, ticket);
  };

  const enterQueue = (ticket: Ticket<Member>): void => {
    const { entry, enteredAt } = ticket.owner;
    waiting.set(entry.commandId, ticket);
    if (entry.placeless !== true) shares.waits(entry.provider, 1);
    if (ticket.blocked === 0) ready.add(ticket);
    stale.setFor(enteredAt + limits.maxWaitMs);
  };

  const noLongerWaits = ({ owner: { entry } }: Ticket<Member>): void => {
    waiting.delete(entry.commandId);
    if (entry.placeless !== true) shares.waits(entry.provider, -1);
  };

  const leaveQueue = (ticket: Ticket<Member>): void => {
    ready.remove(ticket);
    noLongerWaits(ticket);
    giveBack(ticket);
  };

  /** Frees what a ticket claims, makes those ready who waited for it alone, and fills the places. */
  const giveBack = (ticket: Ticket<Member>): void => {
    const freed = board.remove(ticket);
    const placeless = freed.filter(({ owner }) => owner.entry.placeless === true);
    for (const one of placeless.toSorted((a, b) => a.arrival - b.arrival)) start(one);
    for (const one of freed) if (one.owner.entry.placeless !== true) ready.add(one);
    while (leases.size() < limits.maxConcurrent) {
      const next = ready.next();
      if (next === undefined) return;
      start(next);
    }
  };

  const start = (ticket: Ticket<Member>): void => {
    const lease = grant(ticket);
    noLongerWaits(ticket);
    notices.send((listener) => listener.granted(lease));
  };

  const blockersOf = (ticket: Ticket<Member>): readonly CommandId[] =>
    board.blockers(ticket, MAX_BLOCKERS).map(({ entry }) => entry.commandId);

  return {
    leaseTtlMs: limits.leaseTtlMs,
    listen: notices.listen,

    async enqueue(entry) {
      const { commandId, provider, claims, placeless = false } = entry;
      if (waiting.has(commandId) || holding.has(commandId))
        throw new InvariantError(
          `Cannot enqueue "${commandId}": it is in the queue or under a lease already`,
        );
      const ticket = board.add({ entry, enteredAt: clock.monotonic() }, claims);
      if (ticket.blocked === 0 && (placeless || leases.size() < limits.maxConcurrent))
        return { kind: 'granted', lease: grant(ticket) };
      const count = shares.of(provider).waiting;
      if (!placeless && count >= limits.maxQueuePerProvider) {
        // The last to arrive blocks nobody, so nobody is freed.
        board.remove(ticket);
        return { kind: 'refused', waiting: count, limit: limits.maxQueuePerProvider };
      }
      enterQueue(ticket);
      return { kind: 'waiting', blockers: blockersOf(ticket) };
    },

    async prioritize(commandId, priority) {
      const ticket = waiting.get(commandId);
      if (ticket === undefined) return false;
      const wasReady = ready.remove(ticket);
      ticket.owner.entry = { ...ticket.owner.entry, priority };
      if (wasReady) ready.add(ticket);
      return true;
    },

    async cancel(commandId) {
      const ticket = waiting.get(commandId);
      if (ticket === undefined) return false;
      leaveQueue(ticket);
      return true;
    },

    async renew(leaseId) {
      return leases.renew(leaseId);
    },

    async release(leaseId) {
      const ticket = leases.close(leaseId);
      if (ticket === undefined) return;
      holding.delete(ticket.owner.entry.commandId);
      shares.released(ticket.owner.entry.provider);
      giveBack(ticket);
    },

    async isCurrent(lease: Lease) {
      return leases.isCurrent(lease);
    },

    async snapshot(most = Number.POSITIVE_INFINITY) {
      const startedAt = clock.now() - clock.monotonic();
      return {
        waiting: Array.from(waiting.values().take(most), (ticket) => ({
          ...ticket.owner.entry,
          since: startedAt + ticket.owner.enteredAt,
          blockers: blockersOf(ticket),
        })),
        leases: leases.list(),
      };
    },

    close() {
      stale.stop();
      leases.stop();
    },
  };
}

function providerOf({ owner }: Ticket<Member>): string {
  return owner.entry.provider;
}

/** See `Scheduler`: of two providers the one with fewer leases, then the one whose turn is longer ago. */
function startsBefore(a: Ticket<Member>, b: Ticket<Member>, shares: Shares): boolean {
  const [one, other] = [a.owner.entry, b.owner.entry];
  if (one.priority !== other.priority) return one.priority < other.priority;
  if (one.provider === other.provider) return a.arrival < b.arrival;
  const [mine, theirs] = [shares.of(one.provider), shares.of(other.provider)];
  return (mine.held - theirs.held || mine.turn - theirs.turn || a.arrival - b.arrival) < 0;
}

function countFromOne(): () => number {
  let last = 0;
  return () => (last += 1);
}
