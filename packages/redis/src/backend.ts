import type {
  BackendCalls,
  Clock,
  CommandStore,
  Counters,
  EventLog,
  Logger,
  NodeRecord,
  RandomBytes,
  RunStore,
  SchedulerLimits,
} from '@signalbox/core';
import { type RedisConnection, openConnection } from './connection/connection.ts';
import { checkFormat } from './connection/format-check.ts';
import { checkServer } from './connection/server-check.ts';
import { createEventLog } from './events/event-log.ts';
import { noteTopic, readTopic } from './events/topic.ts';
import { type RememberedBackend, rememberBackend } from './last-known/last-known.ts';
import { createNodes, type ListedNodes, listNodes, type NodeFacts, type RedisNodes } from './nodes.ts';
import { createScheduler, type RedisScheduler } from './scheduler/scheduler.ts';
import { createCommandStore } from './store/command-store.ts';
import { createCounters } from './store/counters.ts';
import { createFacts, type RedisFacts } from './store/facts.ts';
import { createRunStore } from './store/run-store.ts';

export type RedisBackend = {
  readonly scheduler: Omit<RedisScheduler, 'open' | 'close'>;
  readonly store: CommandStore;
  readonly runStore: RunStore;
  readonly events: EventLog & {
    /** Resolves when the subscribers have received everything stored so far. */
    caughtUp(): Promise<void>;
  };
  readonly counters: Counters;
  readonly facts: RedisFacts;
  /** Reports every script call, for measurements. */
  readonly calls: BackendCalls;
  /** The members of this workspace; null unless `member` was given. */
  readonly members: RedisNodes | null;
  readonly connection: RedisConnection;
  /** State last seen before Redis became unreachable, for display; null unless `remembers` was set. */
  readonly lastKnown: RememberedBackend | null;
  /** Closes the connections. Release the leases first. Closing twice does nothing. */
  close(): Promise<void>;
};

export type RedisBackendOptions = {
  /** `redis://…`, `rediss://…`, or the path of a unix socket. */
  readonly url: string;
  /** Workspace name, the same in every process that shares the tree and in no other. */
  readonly workspace: string;
  /** Used for timers and durations of this process only. */
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Must be the same in every process of the workspace. */
  readonly limits: SchedulerLimits;
  readonly logger: Logger;
  /** Accept a server that loses its data on restart. Default false. */
  readonly volatile?: boolean;
  /** `monitoring.pubsub_topic`, for a member that publishes. Default: the topic already in use. */
  readonly topic?: string | undefined;
  /** Minimum number of events kept. Default 100,000. */
  readonly keepEvents?: number;
  /** Milliseconds after which an unanswered Redis command counts as failed. Default 5,000. */
  readonly commandTimeoutMs?: number;
  /** Registers this process as a member of the workspace, with the time to live of leases. Default: not a member. */
  readonly member?: NodeFacts;
  /** False for a process that neither enqueues nor maintains the queue. Default true. */
  readonly takesPart?: boolean;
  /** Keep the last known state for display while Redis is unreachable. Default false. */
  readonly remembers?: boolean;
  /** Whether the process of another member has ended, as far as this machine can tell. Default: never. */
  readonly hasEnded?: (member: NodeRecord) => Promise<boolean>;
};

/**
 * The ports for any number of processes and machines, stored in one Redis. All times are Redis's.
 *
 * @throws {UnavailableError} when Redis can't be reached, or is a replica
 * @throws {UsageError} when the server would not keep what it accepts, or holds data in another version's format
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
      : createNodes({ ...options, connection, self: options.member, ttlMs: limits.leaseTtlMs });
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
    // The member may or may not have entered already.
    await members?.leave('settled').catch(() => undefined);
    connection.close();
    throw error;
  }
  const store = createCommandStore(connection, events, (record, last) => lastKnown?.stored(record, last));
  const lastKnown =
    options.remembers === true ? rememberBackend({ connection, store, events, facts, clock, logger }) : null;
  // Not awaited: reading a long history takes a while, and it is only needed while Redis is unreachable.
  lastKnown?.open();
  return {
    scheduler,
    store,
    runStore: createRunStore(connection, events),
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

/** Named like a worker of a BullMQ queue, so that BullMQ tools list the coordinators as the workers of `commands`. */
function workerName({ workspace, member }: RedisBackendOptions): string | undefined {
  if (member?.kind !== 'coordinator') return undefined;
  return `{${workspace}}:${Buffer.from('commands').toString('base64')}:w:${member.id}`;
}

/** The stored data, for a process that only reads and sends control requests and takes no part in the queue. */
export type RedisRecords = Pick<RedisBackend, 'store' | 'runStore' | 'events' | 'facts' | 'close'> & {
  readonly members: ListedNodes;
  readonly scheduler: Pick<RedisScheduler, 'snapshot'>;
};

/**
 * @throws {UnavailableError} when Redis can't be reached
 * @throws {UsageError} when it holds data in another version's format
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
    runStore: createRunStore(connection, events),
    events,
    facts,
    members: listNodes(connection),
    scheduler,
    async close() {
      scheduler.close();
      connection.close();
    },
  };
}
