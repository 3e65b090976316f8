import type {
  Clock,
  CommandStore,
  Counters,
  EventLog,
  Facts,
  Logger,
  RandomBytes,
  SchedulerLimits,
} from '@signalbox/core';
import { createCommandStore } from './command-store.ts';
import { openConnection } from './connection.ts';
import { createCounters } from './counters.ts';
import { createEventLog } from './event-log.ts';
import { createFacts } from './facts.ts';
import { createScheduler, type RedisScheduler } from './scheduler.ts';
import { checkServer } from './server-check.ts';

export type RedisBackend = {
  readonly scheduler: Omit<RedisScheduler, 'open' | 'close'>;
  readonly store: CommandStore;
  readonly events: EventLog & {
    /** Resolves when the subscribers have heard all that is stored by now. */
    caughtUp(): Promise<void>;
  };
  readonly counters: Counters;
  readonly facts: Facts;
  /** Ends the connections; release the leases first. Closing twice does nothing. */
  close(): Promise<void>;
};

export type RedisBackendOptions = {
  /** `redis://…`, `rediss://…`, or the path of a unix socket. */
  readonly url: string;
  /** Every process that shares the tree gives the same name, and no other does. */
  readonly workspace: string;
  /** For timers and durations of this process only. */
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The same in every process of the workspace. */
  readonly limits: SchedulerLimits;
  readonly logger: Logger;
  /** Accept a server that forgets everything at its end. Default false. */
  readonly volatile?: boolean;
  /** How many events are kept at least. Default 100,000. */
  readonly keepEvents?: number;
  /** After it an unanswered command of Redis counts as failed. Default 5,000. */
  readonly commandTimeoutMs?: number;
};

/**
 * The ports for any number of processes and machines, kept in one Redis. All times are those of Redis.
 *
 * @throws {UnavailableError} when Redis can't be reached, or is a replica
 * @throws {UsageError} when that server would not keep what it accepts
 */
export async function createRedisBackend(options: RedisBackendOptions): Promise<RedisBackend> {
  const { logger, clock, random, limits, keepEvents } = options;
  const connection = await openConnection(options);
  const events = createEventLog({
    connection,
    logger,
    ...(keepEvents === undefined ? {} : { keep: keepEvents }),
  });
  const scheduler = createScheduler({ connection, limits, clock, random, logger });
  try {
    await checkServer(connection, { volatile: options.volatile ?? false });
    await events.open();
    await scheduler.open();
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    scheduler,
    store: createCommandStore(connection, events),
    events,
    counters: createCounters(connection),
    facts: createFacts(connection),
    async close() {
      scheduler.close();
      connection.close();
    },
  };
}
