import type {
  BackendCalls,
  Clock,
  CommandStore,
  Counters,
  EventLog,
  Logger,
  Member,
  RandomBytes,
  SchedulerLimits,
} from '@signalbox/core';
import { type RedisConnection, openConnection } from './connection/connection.ts';
import { checkFormat } from './connection/format-check.ts';
import { checkServer } from './connection/server-check.ts';
import { createEventLog } from './events/event-log.ts';
import { noteTopic, readTopic } from './events/topic.ts';
import { type RememberedBackend, rememberBackend } from './last-known/last-known.ts';
import {
  createMembers,
  type ListedMembers,
  listMembers,
  type MemberFacts,
  type RedisMembers,
} from './members.ts';
import { createScheduler, type RedisScheduler } from './scheduler/scheduler.ts';
import { createCommandStore } from './store/command-store.ts';
import { createCounters } from './store/counters.ts';
import { createFacts, type RedisFacts } from './store/facts.ts';

export type RedisBackend = {
  readonly scheduler: Omit<RedisScheduler, 'open' | 'close'>;
  readonly store: CommandStore;
  readonly events: EventLog & {
    /** Resolves when the subscribers have heard all that is stored by now. */
    caughtUp(): Promise<void>;
  };
  readonly counters: Counters;
  readonly facts: RedisFacts;
  /** For whoever measures. */
  readonly calls: BackendCalls;
  /** Who works here; entered when `member` was given. */
  readonly members: RedisMembers | null;
  readonly connection: RedisConnection;
  /** For people who look while Redis is away; null where nothing is remembered. */
  readonly lastKnown: RememberedBackend | null;
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
  /** `monitoring.pubsub_topic`, for a member that publishes; default: what the others use. */
  readonly topic?: string | undefined;
  /** How many events are kept at least. Default 100,000. */
  readonly keepEvents?: number;
  /** After it an unanswered command of Redis counts as failed. Default 5,000. */
  readonly commandTimeoutMs?: number;
  /** This process as a member of the workspace; the time to live is that of leases. Default: it is none. */
  readonly member?: MemberFacts;
  /** False for one that neither enqueues nor looks after the queue. Default true. */
  readonly takesPart?: boolean;
  /** Remembers what was last known, for people who look while Redis is away. Default false. */
  readonly remembers?: boolean;
  /** Whether the process of another member has ended, as far as this machine can tell. Default: never. */
  readonly hasEnded?: (member: Member) => Promise<boolean>;
};

/**
 * The ports for any number of processes and machines, kept in one Redis. All times are those of Redis.
 *
 * @throws {UnavailableError} when Redis can't be reached, or is a replica
 * @throws {UsageError} when that server would not keep what it accepts, or keeps what another version wrote
 */
export async function createRedisBackend(options: RedisBackendOptions): Promise<RedisBackend> {
  const { logger, clock, random, limits, keepEvents } = options;
  const connection = await openConnection({ ...options, name: workerName(options) });
  const events = createEventLog({
    connection,
    logger,
    ...(keepEvents === undefined ? {} : { keep: keepEvents }),
  });
  const scheduler = createScheduler({ connection, limits, clock, random, logger });
  const facts = createFacts(connection);
  const members =
    options.member === undefined
      ? null
      : createMembers({ ...options, connection, self: options.member, ttlMs: limits.leaseTtlMs });
  try {
    await checkServer(connection, { volatile: options.volatile ?? false });
    await checkFormat(connection, 'note');
    await members?.open();
    const { topic } = options;
    const isNamed = members !== null && topic !== undefined;
    await events.open(
      await (isNamed ? noteTopic(connection, { self: members.self, topic, logger }) : readTopic(connection)),
    );
    await facts.open();
    if (options.takesPart !== false) await scheduler.open();
  } catch (error) {
    // It may have entered already, or not at all.
    await members?.leave('settled').catch(() => undefined);
    connection.close();
    throw error;
  }
  const store = createCommandStore(connection, events, (record, last) => lastKnown?.stored(record, last));
  const lastKnown =
    options.remembers === true ? rememberBackend({ connection, store, events, facts, clock, logger }) : null;
  // A long history takes a while, and nobody needs it but who looks in an absence.
  lastKnown?.open();
  return {
    scheduler,
    store,
    lastKnown,
    events,
    counters: createCounters(connection),
    facts,
    members,
    connection,
    calls: connection.calls,
    async close() {
      lastKnown?.close();
      members?.close();
      scheduler.close();
      connection.close();
    },
  };
}

/** As BullMQ calls the workers of a queue: its tools list the coordinators as those of `commands`. */
function workerName({ workspace, member }: RedisBackendOptions): string | undefined {
  if (member?.kind !== 'coordinator') return undefined;
  return `{${workspace}}:${Buffer.from('commands').toString('base64')}:w:${member.id}`;
}

/** What is stored, for who only looks and leaves letters: it takes no part in the queue. */
export type RedisRecords = Pick<RedisBackend, 'store' | 'events' | 'facts' | 'close'> & {
  readonly members: ListedMembers;
  readonly scheduler: Pick<RedisScheduler, 'snapshot'>;
};

/**
 * @throws {UnavailableError} when Redis can't be reached
 * @throws {UsageError} when it keeps what another version wrote
 */
export async function openRedisRecords(
  options: Omit<RedisBackendOptions, 'member' | 'volatile'>,
): Promise<RedisRecords> {
  const connection = await openConnection(options);
  const events = createEventLog({ connection, logger: options.logger });
  const facts = createFacts(connection);
  try {
    await checkFormat(connection, 'look');
    await events.open(await readTopic(connection));
    await facts.open();
  } catch (error) {
    connection.close();
    throw error;
  }
  const scheduler = createScheduler({ ...options, connection });
  return {
    store: createCommandStore(connection, events),
    events,
    facts,
    members: listMembers(connection),
    scheduler,
    async close() {
      scheduler.close();
      connection.close();
    },
  };
}
