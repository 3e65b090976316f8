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
  /** Returns numbers that only grow, across restarts too. Default: 1, 2, 3 …, for this scheduler only. */
  readonly nextFencingToken?: () => number;
};

export type EmbeddedScheduler = Scheduler & {
  /** Stops its timers: from now on no lease expires and no entry becomes stale. */
  close(): void;
};

/** A command in the queue or under a lease. It owns a ticket on the scoreboard. */
type QueuedCommand = {
  /** Its priority may change while it waits. */
  entry: QueueEntry;
  /** Moment of the monotonic clock when it was enqueued. */
  readonly enteredAt: number;
};

const MAX_BLOCKERS = 20;

/**
 * The scheduler of one process. The scoreboard tracks which claims are free; slots are then filled by priority, in fair
 * shares. A slot is never free while a command is ready.
 */
export function createScheduler(options: EmbeddedSchedulerOptions): EmbeddedScheduler {
  const { limits, clock, random, nextFencingToken = countFromOne() } = options;
  /** In order of arrival, which is also the order of becoming stale. */
  const waiting = new Map<CommandId, Ticket<QueuedCommand>>();
  const shares = createShares();
  const holding = new Set<CommandId>();
  const board = createScoreboard<QueuedCommand>();
  const ready = createSlotQueue<Ticket<QueuedCommand>>(providerOf, (a, b) => startsBefore(a, b, shares));
  const notices = createSchedulerNotices();
  const leases = createLeaseTable<Ticket<QueuedCommand>>({
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

  const grant = (ticket: Ticket<QueuedCommand>): Lease => {
    holding.add(ticket.owner.entry.commandId);
    shares.granted(ticket.owner.entry.provider);
    return leases.open(ticket.owner.entry, ticket);
  };

  const enterQueue = (ticket: Ticket<QueuedCommand>): void => {
    const { entry, enteredAt } = ticket.owner;
    waiting.set(entry.commandId, ticket);
    if (entry.placeless !== true) shares.waits(entry.provider, 1);
    if (ticket.blocked === 0) ready.add(ticket);
    stale.setFor(enteredAt + limits.maxWaitMs);
  };

  const stopWaiting = ({ owner: { entry } }: Ticket<QueuedCommand>): void => {
    waiting.delete(entry.commandId);
    if (entry.placeless !== true) shares.waits(entry.provider, -1);
  };

  const leaveQueue = (ticket: Ticket<QueuedCommand>): void => {
    ready.remove(ticket);
    stopWaiting(ticket);
    releaseClaims(ticket);
  };

  /** Frees the ticket's claims, readies the commands blocked only by it, and fills the slots. */
  const releaseClaims = (ticket: Ticket<QueuedCommand>): void => {
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

  const start = (ticket: Ticket<QueuedCommand>): void => {
    const lease = grant(ticket);
    stopWaiting(ticket);
    notices.send((listener) => listener.granted(lease));
  };

  const blockersOf = (ticket: Ticket<QueuedCommand>): readonly CommandId[] =>
    board.blockers(ticket, MAX_BLOCKERS).map(({ entry }) => entry.commandId);

  return {
    leaseTtlMs: limits.leaseTtlMs,
    listen: notices.listen,

    async enqueue(entry) {
      const { commandId, provider, claims, placeless = false } = entry;
      if (waiting.has(commandId) || holding.has(commandId))
        throw new InvariantError(
          `Cannot enqueue "${commandId}": it is already in the queue or holds a lease`,
        );
      const ticket = board.add({ entry, enteredAt: clock.monotonic() }, claims);
      if (ticket.blocked === 0 && (placeless || leases.size() < limits.maxConcurrent))
        return { kind: 'granted', lease: grant(ticket) };
      const count = shares.of(provider).waiting;
      if (!placeless && count >= limits.maxQueuePerProvider) {
        // The last to arrive blocks nothing, so removing it frees nothing.
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
      releaseClaims(ticket);
    },

    async isCurrent(lease: Lease) {
      return leases.isCurrent(lease);
    },

    async snapshot(max = Number.POSITIVE_INFINITY) {
      const startedAt = clock.now() - clock.monotonic();
      return {
        waiting: Array.from(waiting.values().take(max), (ticket) => ({
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

function providerOf({ owner }: Ticket<QueuedCommand>): string {
  return owner.entry.provider;
}

/** See `Scheduler`: the provider with fewer leases goes first, then the one whose turn is longer ago. */
function startsBefore(a: Ticket<QueuedCommand>, b: Ticket<QueuedCommand>, shares: Shares): boolean {
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
