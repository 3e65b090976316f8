import {
  type Clock,
  type CommandId,
  createId,
  createSchedulerNotices,
  InvariantError,
  type LeaseId,
  LeaseLostError,
  type Logger,
  type QueueEntry,
  type RandomBytes,
  type Scheduler,
  type SchedulerLimits,
} from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import { createRounds } from '../rounds.ts';
import { createUncertainRequests } from './uncertain-requests.ts';
import { createInbox, type NoticeListener } from './inbox.ts';
import { createLeaseWatch, type LeaseTime } from './lease-watch.ts';
import { grantedLease } from './granted-lease.ts';
import * as scripts from './scheduler-scripts.ts';

export type RedisSchedulerOptions = {
  readonly connection: RedisConnection;
  /** Must be the same in every process of the workspace. */
  readonly limits: SchedulerLimits;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  /** Entries passed, and slots filled, per script call. Default 128, so that one call does not block Redis for long. */
  readonly chunk?: number;
};

export type RedisScheduler = Scheduler & {
  /** Subscribes to grants and starts the periodic ticks. */
  open(): Promise<void>;
  /** Runs a tick now and passes its notices to the listener. */
  tick(): Promise<void>;
  close(): void;
};

const CHUNK = 128;
const UPDATES_AT_ONCE = 100;

/** Ticks, at least, per the shorter of the two times (lease time to live, maximum wait). */
const TICKS_PER_TIME = 5;

/**
 * The scheduler of many processes: scripts decide, in Redis and by its time; this is one process's client for them. It
 * is notified of grants of its own entries, and of leases inherited from dead processes.
 */
export function createScheduler(options: RedisSchedulerOptions): RedisScheduler {
  const { connection, limits, clock, random, logger, chunk = CHUNK } = options;
  const { maxConcurrent, maxQueuePerProvider, maxWaitMs, leaseTtlMs } = limits;
  const owner = createId('coordinator', random);
  const bounds = { maxConcurrent, leaseTtlMs, chunk };
  const tickMs = Math.max(1, Math.min(leaseTtlMs, maxWaitMs) / TICKS_PER_TIME);
  const notices = createSchedulerNotices();
  const leases = createLeaseWatch(clock, (lease) => notices.send((listener) => listener.lost(lease)));
  /** In order of arrival: if Redis loses them, they are enqueued again. */
  const waiting = new Map<CommandId, { readonly entry: QueueEntry; readonly since: number }>();
  const uncertain = createUncertainRequests(connection, bounds);
  let away = false;
  /** Next maintenance on the monotonic clock; until then only its own notices matter to this process. */
  let maintenanceAt = 0;
  /** Identifies the server and its data; empty before the first reply. */
  let epoch = '';

  /** A waiting command was granted. If no entry is waiting, the grant's reply was lost. */
  const begin = (grant: scripts.Granted, { askedAt, leftMs }: LeaseTime): void => {
    const entry = waiting.get(grant.commandId)?.entry;
    if (entry === undefined) return uncertain.held(grant.leaseId);
    waiting.delete(entry.commandId);
    const lease = grantedLease(entry, grant);
    // At most one time to live from now, in case the clock of Redis was changed meanwhile.
    const maxMs = clock.monotonic() - askedAt + leaseTtlMs;
    leases.hold(lease, { askedAt, leftMs: Math.min(leftMs, maxMs) });
    notices.send((listener) => listener.granted(lease));
  };

  const receive: NoticeListener = (notice, { askedAt, now }) => {
    switch (notice.kind) {
      case 'granted':
        return begin(notice, { askedAt, leftMs: notice.expiresAt - now });
      case 'stale':
        waiting.delete(notice.commandId);
        return notices.send((listener) => listener.stale(notice.commandId, notice.waitedMs));
      case 'lost':
        // Granted by a reply that was lost: nothing runs under it.
        if (!leases.lose(notice.lease.leaseId)) uncertain.held(notice.lease.leaseId);
        return;
      case 'inherited':
        leases.takeOverLease(notice.lease);
        return notices.send((listener) => listener.lost(notice.lease));
    }
  };

  const ask = (entry: QueueEntry, leaseId: LeaseId) =>
    connection.run(scripts.enqueue, { entry, leaseId, owner, maxQueuePerProvider, bounds });

  /** Enqueues the waiting commands that Redis has lost. */
  const enqueueAgain = async (): Promise<void> => {
    for (const { entry, since } of waiting.values()) {
      const askedAt = clock.monotonic();
      const leaseId = createId('lease', random);
      const reply = await ask(entry, leaseId);
      if (reply[0] === 'granted') {
        begin({ ...reply[1], leaseId, commandId: entry.commandId }, { askedAt, leftMs: leaseTtlMs });
      } else if (reply[0] === 'refused') {
        waiting.delete(entry.commandId);
        notices.send((listener) => listener.stale(entry.commandId, clock.monotonic() - since));
      }
    }
  };

  const arrive = async (): Promise<void> => {
    const now = await connection.run(scripts.arrive, { epoch, leaseTtlMs });
    if (epoch !== '' && now !== epoch) {
      logger.warn(
        { before: epoch, now },
        'Redis is another server or has lost its data; nothing is granted for one lease time to live',
      );
      await enqueueAgain();
    }
    epoch = now;
  };

  /** Does the maintenance for all processes, until nothing more is due. */
  const maintainAll = async (): Promise<void> => {
    await arrive();
    await uncertain.settle();
    for (;;) {
      const askedAt = clock.monotonic();
      const updates = await connection.run(scripts.tick, { owner, got: inbox.got(), bounds, maxWaitMs });
      inbox.receiveAll(updates, askedAt);
      if (updates.more || updates.notices.length > 0) continue;
      maintenanceAt = clock.monotonic() + Math.min(updates.dueMs ?? tickMs, tickMs);
      return;
    }
  };

  const applyUpdates = async (): Promise<void> => {
    for (let full = true; full;) {
      const askedAt = clock.monotonic();
      const updates = await connection.run(scripts.updates, {
        owner,
        got: inbox.got(),
        limit: UPDATES_AT_ONCE,
      });
      inbox.receiveAll(updates, askedAt);
      full = updates.notices.length === UPDATES_AT_ONCE;
    }
  };

  const round = async (): Promise<number> => {
    try {
      if (clock.monotonic() >= maintenanceAt) await maintainAll();
      else await applyUpdates();
      away = false;
    } catch (error) {
      if (!away) logger.warn({ error }, 'queue maintenance failed; trying again');
      away = true;
      maintenanceAt = clock.monotonic() + tickMs;
    }
    return Math.max(0, maintenanceAt - clock.monotonic());
  };

  const rounds = createRounds(clock, round);
  const inbox = createInbox(receive, () => void rounds.now());

  const tick = (): Promise<void> => {
    maintenanceAt = 0;
    return rounds.now();
  };

  /** If one script call was not enough, this process continues. */
  const tickIfMore = async (rest: 'more' | 'all' | undefined): Promise<void> => {
    if (rest === 'more') await tick();
  };

  return {
    leaseTtlMs,
    listen: notices.listen,
    tick,

    async open() {
      await arrive();
      // At once, before a server that may have lost data grants anything; not at the next tick.
      connection.onRestored(() => {
        arrive().then(tick, (error: unknown) => {
          logger.warn({ error }, 'arrival at Redis failed; the next connection retries it');
        });
      });
      await connection.subscriptions.add({
        channel: `${connection.prefix}inbox:${owner}`,
        receive: inbox.receivePublished,
        begin: () => void tick(),
      });
      // Registers this process as living before it asks for anything.
      await tick();
    },

    async enqueue(entry) {
      const leaseId = createId('lease', random);
      const askedAt = clock.monotonic();
      const before = waiting.get(entry.commandId);
      // Before the request: the grant may arrive before the reply.
      waiting.set(entry.commandId, before ?? { entry, since: askedAt });
      const reply = await ask(entry, leaseId).catch((error: unknown) => {
        waiting.delete(entry.commandId);
        uncertain.enqueued(entry.commandId, leaseId);
        throw error;
      });
      switch (reply[0]) {
        case 'granted': {
          waiting.delete(entry.commandId);
          const lease = grantedLease(entry, { ...reply[1], leaseId });
          leases.hold(lease, { askedAt, leftMs: leaseTtlMs });
          return { kind: 'granted', lease };
        }
        case 'waiting': {
          const [, ...blockers] = reply;
          return { kind: 'waiting', blockers };
        }
        case 'refused':
          waiting.delete(entry.commandId);
          return { kind: 'refused', waiting: reply[1], limit: maxQueuePerProvider };
        case 'present':
          if (before === undefined) waiting.delete(entry.commandId);
          throw new InvariantError(
            `Cannot enqueue "${entry.commandId}": it is already in the queue or holds a lease`,
          );
      }
    },

    async cancel(commandId) {
      const [kind, rest] = await connection.run(scripts.cancel, { commandId, bounds });
      // Otherwise its grant may be on the way.
      if (kind === 'cancelled') waiting.delete(commandId);
      await tickIfMore(rest);
      return kind === 'cancelled';
    },

    async prioritize(commandId, priority) {
      if ((await connection.run(scripts.prioritize, { commandId, priority })) === 'not-waiting') return false;
      const known = waiting.get(commandId);
      if (known !== undefined) waiting.set(commandId, { ...known, entry: { ...known.entry, priority } });
      return true;
    },

    async renew(leaseId) {
      const askedAt = clock.monotonic();
      const gone = (why: string): LeaseLostError =>
        new LeaseLostError(`Cannot renew lease "${leaseId}": ${why}`);
      if (leases.isLost(leaseId)) throw gone('it has expired');
      const [kind, lease] = await connection.run(scripts.renew, {
        leaseId,
        commandId: leases.commandOf(leaseId),
        leaseTtlMs,
      });
      if (kind !== 'renewed') throw gone(kind === 'expired' ? 'it has expired' : 'it was released');
      // It reached its deadline while Redis was slow to reply.
      if (leases.isLost(leaseId)) throw gone('it has expired');
      leases.hold(lease, { askedAt, leftMs: leaseTtlMs });
      return lease;
    },

    async release(leaseId) {
      const commandId = leases.commandOf(leaseId);
      const reply = await connection
        .run(scripts.release, { leaseId, commandId, bounds, owner })
        .catch((error: unknown) => {
          uncertain.held(leaseId);
          throw error;
        });
      leases.forget(leaseId);
      if (reply[0] === 'not-held') return;
      const [, rest, ...reported] = reply;
      reported.forEach(inbox.receiveNext);
      await tickIfMore(rest);
    },

    async isCurrent(lease) {
      if (leases.isLost(lease.leaseId)) return false;
      return (await connection.run(scripts.isCurrent, lease)) === 'current';
    },

    async snapshot(max = 0) {
      const [held, queued] = await connection.run(scripts.snapshot, max);
      return { leases: held, waiting: queued };
    },

    close() {
      rounds.stop();
      leases.stop();
    },
  };
}
