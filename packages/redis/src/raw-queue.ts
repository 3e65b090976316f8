import type { Logger } from '@signalbox/core';
import { Queue, Worker } from 'bullmq';
import { type RedisClient, createClient, parseServerAddress } from './connection/server-address.ts';

/** A queue of BullMQ and nothing else: what a queue costs that knows nothing of files. For measurements. */
export type RawQueue = {
  /** Hands work in; settles when it was done and BullMQ knows it. What the work throws fails the job. */
  run(work: () => Promise<void>): Promise<void>;
  /** Leaves no key in Redis. */
  close(): Promise<void>;
};

const RETRY_MS = 100;
const SETTINGS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/** @param name All its keys begin with it: one that nobody else has. */
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
  let handedIn = 0;

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
      handedIn += 1;
      const id = `job-${handedIn}`;
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
