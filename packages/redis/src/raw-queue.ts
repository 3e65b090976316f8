import type { Logger } from '@signalbox/core';
import { Queue, Worker } from 'bullmq';
import { type RedisClient, createClient, parseServerAddress } from './connection/server-address.ts';

/** A plain BullMQ queue without locks, to measure what a queue costs at all. */
export type RawQueue = {
  /** Adds work; settles when BullMQ has recorded its end. An error thrown by the work fails the job. */
  run(work: () => Promise<void>): Promise<void>;
  /** Closes and removes all keys from Redis. */
  close(): Promise<void>;
};

const RETRY_MS = 100;
const SETTINGS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/** @param name prefix of all its keys; must be unique */
export async function openRawQueue(options: {
  readonly url: string;
  readonly name: string;
  readonly concurrency: number;
  readonly logger: Pick<Logger, 'warn'>;
}): Promise<RawQueue> {
  const { url, name, concurrency, logger } = options;
  const works = new Map<string, () => Promise<void>>();
  const underway = new Map<string, PromiseWithResolvers<void>>();
  const clients: RedisClient[] = [];
  const shared = { prefix: `{${name}}`, skipVersionCheck: true } as const;
  const queue = new Queue('raw', { ...shared, connection: connect() });
  const worker = new Worker('raw', async ({ id = '' }) => works.get(id)?.(), {
    ...shared,
    connection: connect(),
    concurrency,
    maxStalledCount: 0,
    drainDelay: 1,
  });
  let submitted = 0;

  function connect(): RedisClient {
    const client = createClient(parseServerAddress(url), { maxRetriesPerRequest: null }, () => RETRY_MS);
    clients.push(client);
    return client;
  }

  function end(id = '', error?: Error): void {
    if (error === undefined) underway.get(id)?.resolve();
    else underway.get(id)?.reject(error);
    underway.delete(id);
    works.delete(id);
  }

  const failed = (error: Error): void => logger.warn({ error }, 'raw queue failed');
  worker.on('completed', ({ id }) => end(id));
  worker.on('failed', (job, error) => end(job?.id, error));
  queue.on('error', failed);
  worker.on('error', failed);
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);

  return {
    async run(work) {
      submitted += 1;
      const id = `job-${submitted}`;
      const ended = Promise.withResolvers<void>();
      works.set(id, work);
      underway.set(id, ended);
      await queue.add('run', {}, { ...SETTINGS, jobId: id });
      await ended.promise;
    },
    async close() {
      await worker.close();
      await queue.obliterate({ force: true });
      await queue.close();
      for (const client of clients) client.disconnect();
    },
  };
}
