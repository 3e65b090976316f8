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
import { createDoubts } from './uncertain-requests.ts';
import { createInbox } from './inbox.ts';
import { createLeaseWatch } from './lease-watch.ts';
import { leaseOf } from './lease-of.ts';
import * as scripts from './scheduler-scripts.ts';

export type RedisSchedulerOptions = {
  readonly connection: RedisConnection;
  /** The same in every process of the workspace. */
  readonly limits: SchedulerLimits;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  /** Entries that one script passes, and places that it fills; default 128, to keep nobody else waiting. */
  readonly chunk?: number;
};

export type RedisScheduler = Scheduler & {
  /** Starts to hear of grants, and to do its part of what time does. */
  open(): Promise<void>;
  /** Does that part now, and tells the listener what there is. */
  tick(): Promise<void>;
  close(): void;
};

const CHUNK = 128;
const UPDATES_AT_ONCE = 100;

/** In how many parts of the shorter of its times a process at least looks after the queue, and says it lives. */
const TICKS_PER_TIME = 5;

/**
 * The scheduler of many processes: the scripts decide, in Redis and by its time; this is one process's way to
 * them. It hears of the grants of what it enqueued itself, and of the leases that dead processes have left.
 */
export function createScheduler(options: RedisSchedulerOptions): RedisScheduler {
  const { connection, limits, clock, random, logger, chunk = CHUNK } = options;
  const { maxConcurrent, maxQueuePerProvider, maxWaitMs, leaseTtlMs } = limits;
  const owner = createId('coordinator', random);
  const bounds = { maxConcurrent, leaseTtlMs, chunk };
  const tickMs = Math.max(1, Math.min(leaseTtlMs, maxWaitMs) / TICKS_PER_TIME);
  const notices = createSchedulerNotices();
  const leases = createLeaseWatch(clock, (lease) => notices.send((listener) => listener.lost(lease)));
  /** In the order they came: should Redis forget them, they are put into the queue again. */
  const waiting = new Map<CommandId, { readonly entry: QueueEntry; readonly since: number }>();
  const uncertain = createDoubts(connection, bounds);
  let away = false;
  /** By the monotonic clock: until then only its own news concern this process. */
  let lookAfterAt = 0;
  /** Of the server and of what it keeps; empty before the first answer. */
  let epoch = '';

  /** Never more than a whole life from now, should the clock of Redis have been set meanwhile. */
  const leftOf = (leftMs: number, askedAt: number): number =>
    Math.min(leftMs, clock.monotonic() - askedAt + leaseTtlMs);

  /** A waiting command holds a lease now. One that nobody waits for was granted to an answer that never came. */
  const begin = (grant: scripts.Granted, askedAt: number, leftMs: number): void => {
    const entry = waiting.get(grant.commandId)?.entry;
    if (entry === undefined) return uncertain.held(grant.leaseId);
    waiting.delete(entry.commandId);
    const lease = leaseOf(entry, grant);
    leases.hold(lease, askedAt, leftOf(leftMs, askedAt));
    notices.send((listener) => listener.granted(lease));
  };

  const receive = (notice: scripts.Notice, askedAt: number, now: number): void => {
    switch (notice.kind) {
      case 'granted':
        return begin(notice, askedAt, notice.expiresAt - now);
      case 'stale':
        waiting.delete(notice.commandId);
        return notices.send((listener) => listener.stale(notice.commandId, notice.waitedMs));
      case 'lost':
        // Granted by an answer that never came: nothing runs under it.
        if (!leases.lose(notice.lease.leaseId)) uncertain.held(notice.lease.leaseId);
        return;
      case 'inherited':
        leases.takeOverLease(notice.lease);
        return notices.send((listener) => listener.lost(notice.lease));
    }
  };

  const ask = (entry: QueueEntry, leaseId: LeaseId) =>
    connection.run(scripts.enqueue, { entry, leaseId, owner, maxQueuePerProvider, bounds });

  /** Gives those a turn again of whom Redis knows nothing any more. */
  const enqueueAgain = async (): Promise<void> => {
    for (const { entry, since } of waiting.values()) {
      const askedAt = clock.monotonic();
      const leaseId = createId('lease', random);
      const reply = await ask(entry, leaseId);
      if (reply[0] === 'granted') {
        begin({ ...reply[1], leaseId, commandId: entry.commandId }, askedAt, leaseTtlMs);
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
        'Redis is not the one it was, or has forgotten everything; nothing is granted for one lease',
      );
      await enqueueAgain();
    }
    epoch = now;
  };

  /** Does everybody's part, until nothing more is to be done now. */
  const lookAfterAll = async (): Promise<void> => {
    await arrive();
    await uncertain.settle();
    for (;;) {
      const askedAt = clock.monotonic();
      const updates = await connection.run(scripts.tick, { owner, got: inbox.got(), bounds, maxWaitMs });
      inbox.receiveAll(updates, askedAt);
      if (updates.more || updates.notices.length > 0) continue;
      lookAfterAt = clock.monotonic() + Math.min(updates.dueMs ?? tickMs, tickMs);
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
      if (clock.monotonic() >= lookAfterAt) await lookAfterAll();
      else await applyUpdates();
      away = false;
    } catch (error) {
      if (!away) logger.warn({ error }, 'queue not looked after; trying again');
      away = true;
      lookAfterAt = clock.monotonic() + tickMs;
    }
    return Math.max(0, lookAfterAt - clock.monotonic());
  };

  const rounds = createRounds(clock, round);
  const inbox = createInbox(receive, () => void rounds.now());

  const tick = (): Promise<void> => {
    lookAfterAt = 0;
    return rounds.now();
  };

  /** When one script could not pass all, somebody has to go on. */
  const goOn = async (rest: 'more' | 'all' | undefined): Promise<void> => {
    if (rest === 'more') await tick();
  };

  return {
    leaseTtlMs,
    listen: notices.listen,
    tick,

    async open() {
      await arrive();
      // At once, before anything is granted by a server that may have forgotten; not when its turn comes.
      connection.onRestored(() => {
        arrive().then(tick, (error: unknown) => {
          logger.warn({ error }, 'Redis not greeted; the next connection does it');
        });
      });
      await connection.subscriptions.add({
        channel: `${connection.prefix}inbox:${owner}`,
        receive: inbox.receivePublished,
        begin: () => void tick(),
      });
      // It is known to live before it asks for anything.
      await tick();
    },

    async enqueue(entry) {
      const leaseId = createId('lease', random);
      const askedAt = clock.monotonic();
      const before = waiting.get(entry.commandId);
      // Before it is asked: the grant may be heard before the answer.
      waiting.set(entry.commandId, before ?? { entry, since: askedAt });
      const reply = await ask(entry, leaseId).catch((error: unknown) => {
        waiting.delete(entry.commandId);
        uncertain.enqueued(entry.commandId, leaseId);
        throw error;
      });
      switch (reply[0]) {
        case 'granted': {
          waiting.delete(entry.commandId);
          const lease = leaseOf(entry, { ...reply[1], leaseId });
          leases.hold(lease, askedAt, leaseTtlMs);
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
            `Cannot enqueue "${entry.commandId}": it is in the queue or under a lease already`,
          );
      }
    },

    async cancel(commandId) {
      const [kind, rest] = await connection.run(scripts.cancel, { commandId, bounds });
      // Else its grant may be on the way.
      if (kind === 'cancelled') waiting.delete(commandId);
      await goOn(rest);
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
      // It came to its deadline while Redis took its time to answer.
      if (leases.isLost(leaseId)) throw gone('it has expired');
      leases.hold(lease, askedAt, leaseTtlMs);
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
      await goOn(rest);
    },

    async isCurrent(lease) {
      if (leases.isLost(lease.leaseId)) return false;
      return (await connection.run(scripts.isCurrent, lease)) === 'current';
    },

    async snapshot(most = 0) {
      const [held, queued] = await connection.run(scripts.snapshot, most);
      return {
        leases: held,
        waiting: queued,
      };
    },

    close() {
      rounds.stop();
      leases.stop();
    },
  };
}
