import {
  type Clock,
  type CommandId,
  InvariantError,
  type Lease,
  type ProviderId,
  type QueueEntry,
  type RandomBytes,
  type Scheduler,
  type SchedulerLimits,
  type SchedulerListener,
} from '@signalbox/core';
import { createAlarm } from './alarm.ts';
import { createLeaseBook } from './lease-book.ts';
import { createReadyQueue } from './ready-queue.ts';
import { createScoreboard, type Ticket } from './scoreboard.ts';

export type SchedulerOptions = {
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

/** A command in the queue or under a lease. */
type Member = {
  readonly entry: QueueEntry;
  readonly priority: number;
  readonly arrival: number;
  readonly ticket: Ticket<CommandId>;
  readonly since: number;
  readonly staleAfter: number;
};

const MAX_BLOCKERS = 20;

/**
 * The scheduler of one process: the scoreboard says whose claims are free, then the places are filled by
 * priority and arrival. A place is never free while somebody is ready.
 */
export function createScheduler(options: SchedulerOptions): EmbeddedScheduler {
  const { limits, clock, random, nextFencingToken = countFromOne() } = options;
  const members = new Map<CommandId, Member>();
  /** By arrival, and so by the moment they grow stale. */
  const waiting = new Map<CommandId, Member>();
  const waitingOf = new Map<ProviderId, number>();
  const board = createScoreboard<CommandId>();
  const ready = createReadyQueue<Member>();
  const notices = createNotices();
  const leases = createLeaseBook<Member>({
    clock,
    random,
    ttlMs: limits.leaseTtlMs,
    nextFencingToken,
    onLost: (lease) => notices.send((listener) => listener.lost(lease)),
  });

  const stale = createAlarm(clock, () => {
    const now = clock.monotonic();
    for (const member of waiting.values()) {
      if (member.staleAfter > now) return member.staleAfter;
      leaveQueue(member);
      const { commandId } = member.entry;
      const waitedMs = limits.maxWaitMs + now - member.staleAfter;
      notices.send((listener) => listener.stale(commandId, waitedMs));
    }
    return null;
  });

  const enterQueue = (member: Member): void => {
    const { commandId, provider } = member.entry;
    waiting.set(commandId, member);
    waitingOf.set(provider, (waitingOf.get(provider) ?? 0) + 1);
    if (member.ticket.blocked === 0) ready.add(member);
    stale.setFor(member.staleAfter);
  };

  const noLongerWaits = ({ entry }: Member): void => {
    waiting.delete(entry.commandId);
    const count = (waitingOf.get(entry.provider) ?? 0) - 1;
    if (count > 0) waitingOf.set(entry.provider, count);
    else waitingOf.delete(entry.provider);
  };

  const leaveQueue = (member: Member): void => {
    ready.remove(member);
    noLongerWaits(member);
    leaveHouse(member);
  };

  /** Gives the claims back, makes those ready who waited for them, and fills the places. */
  const leaveHouse = (member: Member): void => {
    members.delete(member.entry.commandId);
    for (const { owner } of board.remove(member.ticket)) {
      const freed = waiting.get(owner);
      if (freed !== undefined) ready.add(freed);
    }
    while (leases.size() < limits.maxConcurrent) {
      const next = ready.next();
      if (next === undefined) return;
      noLongerWaits(next);
      const lease = leases.open(next.entry, next);
      notices.send((listener) => listener.granted(lease));
    }
  };

  return {
    leaseTtlMs: limits.leaseTtlMs,
    listen: notices.listen,

    async enqueue(entry) {
      const { commandId, provider } = entry;
      if (members.has(commandId))
        throw new InvariantError(
          `Cannot enqueue "${commandId}": it is in the queue or under a lease already`,
        );
      const ticket = board.add(commandId, entry.claims);
      const member: Member = {
        entry,
        priority: entry.priority,
        arrival: ticket.arrival,
        ticket,
        since: clock.now(),
        staleAfter: clock.monotonic() + limits.maxWaitMs,
      };
      if (ticket.blocked === 0 && leases.size() < limits.maxConcurrent) {
        members.set(commandId, member);
        return { kind: 'granted', lease: leases.open(entry, member) };
      }
      const count = waitingOf.get(provider) ?? 0;
      if (count >= limits.maxQueuePerProvider) {
        // The last to arrive blocks nobody, so nobody is freed.
        board.remove(ticket);
        return { kind: 'refused', waiting: count, limit: limits.maxQueuePerProvider };
      }
      members.set(commandId, member);
      enterQueue(member);
      return { kind: 'waiting', blockers: board.blockers(ticket, MAX_BLOCKERS) };
    },

    async cancel(commandId) {
      const member = waiting.get(commandId);
      if (member === undefined) return false;
      leaveQueue(member);
      return true;
    },

    async renew(leaseId) {
      return leases.renew(leaseId);
    },

    async release(leaseId) {
      const member = leases.close(leaseId);
      if (member !== undefined) leaveHouse(member);
    },

    async isCurrent(lease: Lease) {
      return leases.isCurrent(lease);
    },

    async snapshot() {
      return {
        waiting: Array.from(waiting.values(), ({ entry, since, ticket }) => ({
          ...entry,
          since,
          blockers: board.blockers(ticket, MAX_BLOCKERS),
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

/** Delivers in order, never within the call that caused it; keeps what comes before there is a listener. */
function createNotices(): {
  listen(listener: SchedulerListener): void;
  send(notice: (listener: SchedulerListener) => void): void;
} {
  let listener: SchedulerListener | null = null;
  let kept: ((listener: SchedulerListener) => void)[] = [];

  const send = (notice: (listener: SchedulerListener) => void): void => {
    const heard = listener;
    if (heard === null) kept.push(notice);
    // One microtask each: an error in one of them ends the process, but not the others in silence.
    else queueMicrotask(() => notice(heard));
  };

  return {
    send,
    listen(newListener) {
      listener = newListener;
      const missed = kept;
      kept = [];
      for (const notice of missed) send(notice);
    },
  };
}

function countFromOne(): () => number {
  let last = 0;
  return () => (last += 1);
}
