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

/**
 * BullMQ carries execution ids from coordinators to workers, and nothing else. Our own scripts decide which worker may
 * begin one, once, and record the result. So BullMQ may deliver an id whenever it believes that the worker died. It
 * must: the worker that took it may have died before beginning it, or never received it.
 */

/** A frozen worker may swallow a wake-up, so a worker blocks at most this many seconds. */
const DRAIN_DELAY_S = 1;
/** An id taken by a worker that died is delivered again after this time and two stalled checks. */
const LOCK_MS = 5000;
const STALLED_EVERY_MS = 1000;
const KEPT_EVENTS = 1000;
const COMMAND_TIMEOUT_MS = 5000;
/** A link without replies for this long is replaced. */
const SILENT_MS = 15_000;
const RETRY_STEP_MS = 50;
const LONGEST_RETRY_MS = 2000;

/** Name of the queue for workers with exactly these labels. */
function queueName(labels: readonly string[]): string {
  return ['run', ...labels].join('+');
}

export type RunQueues = {
  add(labels: readonly string[], id: ExecutionId, options: Readonly<{ of: CommandId }>): Promise<void>;
  /** Removes an id that no worker has taken; a worker that took it will find the execution gone. */
  remove(labels: readonly string[], id: ExecutionId): Promise<void>;
  close(): Promise<void>;
};

type Address = {
  readonly url: string;
  /** `{…}:`. */
  readonly prefix: string;
  /** Set to trace the queue's steps. */
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
    add(labels, id, { of }) {
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

/** A separate connection, since BullMQ needs other settings: it reconnects for ever. */
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
  /** Takes no more ids, and resolves when the taken ones are over. */
  drain(): Promise<void>;
};

/** Takes executions for workers with these labels, up to `concurrency` at once. */
export function createRunTaker(
  { url, prefix, queueTraces, logger }: Address,
  options: {
    readonly labels: readonly string[];
    readonly concurrency: number;
    readonly run: (id: string) => Promise<void>;
  },
): RunConsumer {
  // The blocking command it waits on has no timeout.
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
