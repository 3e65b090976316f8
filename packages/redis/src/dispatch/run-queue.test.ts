import { randomBytes } from 'node:crypto';
import { createId } from '@signalbox/core';
import { aCommandId, createMemoryLogger } from '@signalbox/core/testing';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { startRedisServer } from '../testing/redis-server.ts';
import { createRunQueues, createRunTaker } from './run-queue.ts';

test('an id taken by a worker that did not begin it is delivered to another worker', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const address = { url: server.url, prefix: '{shop}:', logger: createMemoryLogger() };
  const queues = createRunQueues(address);
  onTestFinished(() => queues.close());
  const id = createId('execution', randomBytes);
  await queues.add([], id, { of: aCommandId('taken') });
  await takeAndDie(server.url);

  const brought: string[] = [];
  const taker = createRunTaker(address, {
    labels: [],
    concurrency: 1,
    run: async (one) => void brought.push(one),
  });
  onTestFinished(() => taker.drain());
  await expect.poll(() => brought, { timeout: 30_000 }).toEqual([id]);
});

test('BullMQ has the version whose keys the noted format describes: a new version may need a new format, see lua/format.lua', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const queues = createRunQueues({ url: server.url, prefix: '{shop}:', logger: createMemoryLogger() });
  onTestFinished(() => queues.close());
  await queues.add([], createId('execution', randomBytes), { of: aCommandId('taken') });
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  await expect.poll(() => redis.hget('{shop}:run:meta', 'version')).toBe('bullmq:6.7.0');
});

/** Acts like a worker that is killed after taking an id and before beginning it. */
async function takeAndDie(url: string): Promise<void> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  onTestFinished(() => connection.disconnect());
  const worker = new Worker('run', null, { connection, prefix: '{shop}', lockDuration: 1 });
  worker.on('error', () => undefined);
  await worker.getNextJob('dead', { block: false });
  await worker.close(true);
}
