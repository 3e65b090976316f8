import { type CommandId, type Logger, UnavailableError } from '@signalbox/core';
import type { ExecutionId } from '@signalbox/core';
import { Queue, Worker } from 'bullmq';
import { addressOf, toSignalboxError } from '../connection/redis-failure.ts';
import {
  type RedisClient,
  createClient,
  parseServerAddress,
  type SharedOptions,
} from '../connection/server-address.ts';
import type { QueueTraces } from './queue-traces.ts';

/*
 * BullMQ carries ids of executions from coordinators to workers, and nothing else: who may begin one, once, and what
 * became of it, is decided by our own scripts. So it may hand an id out as often as it believes that its worker died,
 * and must: the one that took it may not have come to begin it, or never heard that it had taken it.
 */

/** A worker that is frozen may swallow a wake-up, so nobody sleeps longer than this many seconds. */
const DRAIN_DELAY_S = 1;
/** An id that was taken by a worker that died is handed out again when this is over, and it was looked for twice. */
const LOCK_MS = 5000;
const STALLED_EVERY_MS = 1000;
const KEPT_EVENTS = 1000;
const COMMAND_TIMEOUT_MS = 5000;
/** A link on which nothing is answered for so long is given up for a new one. */
const SILENT_MS = 15_000;
const RETRY_STEP_MS = 50;
const LONGEST_RETRY_MS = 2000;

/** Where workers of exactly these labels take their executions from. */
function queueName(labels: readonly string[]): string {
  return ['run', ...labels].join('+');
}

export type RunQueues = {
  add(labels: readonly string[], id: ExecutionId, of: CommandId): Promise<void>;
  /** Of one that nobody has taken; one that is taken finds by itself that it is gone. */
  remove(labels: readonly string[], id: ExecutionId): Promise<void>;
  close(): Promise<void>;
};

type Address = {
  readonly url: string;
  /** `{…}:`. */
  readonly prefix: string;
  /** Where somebody wants to know of the queue's steps. */
  readonly queueTraces?: QueueTraces | undefined;
  readonly logger: Logger;
};

export function createRunQueues({ url, prefix, queueTraces, logger }: Address): RunQueues {
  const where = addressOf(url);
  const connection = connect(
    { url, logger },
    { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: COMMAND_TIMEOUT_MS },
  );
  const queues = new Map<string, Queue>();

  function queueOf(labels: readonly string[]): Queue {
    const name = queueName(labels);
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue = new Queue(name, {
      connection,
      prefix: prefix.slice(0, -1),
      skipVersionCheck: true,
      ...telemetryOf(queueTraces),
      streams: { events: { maxLen: KEPT_EVENTS } },
    });
    queue.on('error', (error) => logger.warn({ error, queue: name }, 'run queue failed'));
    queues.set(name, queue);
    return queue;
  }

  async function ask(task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
    } catch (error) {
      throw toSignalboxError(error, where);
    }
  }

  return {
    add(labels, id, of) {
      const job = { jobId: id, attempts: 1, removeOnComplete: true, removeOnFail: true };
      const add = (): Promise<unknown> => queueOf(labels).add('run', { command: of }, job);
      return ask(() => (queueTraces === undefined ? add() : queueTraces.ofCommand(of, add)));
    },
    remove: (labels, id) => ask(() => queueOf(labels).remove(id)),
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

function telemetryOf(traces: QueueTraces | undefined): { telemetry?: QueueTraces['telemetry'] } {
  return traces === undefined ? {} : { telemetry: traces.telemetry };
}

/** Of its own, since BullMQ wants other settings than we: it connects again for ever. */
function connect(
  { url, logger }: Omit<Address, 'prefix'>,
  options: Pick<SharedOptions, 'enableOfflineQueue' | 'maxRetriesPerRequest' | 'commandTimeout'>,
): RedisClient {
  const shared = { ...options, socketTimeout: SILENT_MS };
  const connection = createClient(parseServerAddress(url), shared, (times) =>
    Math.min(times * RETRY_STEP_MS, LONGEST_RETRY_MS),
  );
  connection.on('error', (error: unknown) => logger.debug({ error }, 'connection of the run queue'));
  return connection;
}

export type RunConsumer = {
  /** Takes no more, and resolves when what it has taken is over. */
  drain(): Promise<void>;
};

/** Takes executions for workers of these labels, so many at once. */
export function createRunTaker(
  { url, prefix, queueTraces, logger }: Address,
  options: {
    readonly labels: readonly string[];
    readonly concurrency: number;
    readonly run: (id: string) => Promise<void>;
  },
): RunConsumer {
  // What it waits for has no time to be over.
  const connection = connect({ url, logger }, { maxRetriesPerRequest: null });
  const worker = new Worker(
    queueName(options.labels),
    async ({ id }) => {
      if (id === undefined) throw new UnavailableError('no-id', 'Cannot run a job without an id');
      await options.run(id);
    },
    {
      connection,
      prefix: prefix.slice(0, -1),
      concurrency: options.concurrency,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_EVERY_MS,
      drainDelay: DRAIN_DELAY_S,
      skipVersionCheck: true,
      ...telemetryOf(queueTraces),
    },
  );
  worker.on('error', (error) => logger.warn({ error }, 'run queue failed; it connects again by itself'));
  return {
    async drain() {
      await worker.close();
      connection.disconnect();
    },
  };
}
