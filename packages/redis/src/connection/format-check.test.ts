import { randomBytes } from 'node:crypto';
import { pathResource, writeClaim } from '@signalbox/core';
import { aCommandId, aCommandRecord, aQueueEntry, createMemoryLogger } from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisBackend, openRedisRecords } from '../backend.ts';
import { listKeys } from '../testing/list-keys.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { startRedisServer } from '../testing/redis-server.ts';

test.each([
  {
    what: 'of a newer version',
    make: (redis: Redis) => redis.hset('{shop}:queue', 'format', '7'),
    why: 'it is in format 7; this version knows format 2',
  },
  {
    what: 'of a version that noted no format',
    make: (redis: Redis) => redis.hdel('{shop}:queue', 'format'),
    why: 'it is in a format from before formats were numbered; this version knows format 2',
  },
])('data $what is rejected by name at the start and left unchanged', async ({ make, why }) => {
  const { url, redis } = await startServer();
  const writer = await createRedisBackend(optionsFor(url));
  await writer.store.commit(aCommandRecord(), []);
  await writer.scheduler.enqueue(entry());
  await writer.close();
  await make(redis);
  const before = await contentsOf(redis);
  const refusal = {
    code: 'redis-format',
    message: expect.stringContaining('another version of Signalbox wrote') as string,
    why: [why, 'nothing was read or changed'],
    next: ['Run the version of Signalbox that wrote it', expect.stringContaining("--pattern '{shop}:*'")],
  };
  await expect(createRedisBackend(optionsFor(url))).rejects.toMatchObject(refusal);
  await expect(openRedisRecords(optionsFor(url))).rejects.toMatchObject(refusal);
  expect(await contentsOf(redis)).toEqual(before);
});

test('in an empty workspace the format is the first thing stored, and a reader stores nothing', async () => {
  const { url, redis } = await startServer();
  await (await openRedisRecords(optionsFor(url))).close();
  expect(await listKeys(url, '*')).toEqual([]);
  await (await createRedisBackend({ ...optionsFor(url), takesPart: false })).close();
  expect(await redis.hgetall('{shop}:queue')).toEqual({ format: '2' });
  await (await openRedisRecords(optionsFor(url))).close();
});

test('a process whose workspace was taken over by another version stops using it', async () => {
  const { url, redis } = await startServer();
  const { scheduler, close } = await createRedisBackend(optionsFor(url));
  onTestFinished(close);
  await redis.flushall();
  await redis.hset('{shop}:queue', 'format', '3');
  await expect(scheduler.enqueue(entry())).rejects.toMatchObject({
    code: 'redis-refused',
    message: expect.stringContaining('another version of Signalbox has taken it over') as string,
    why: [expect.stringContaining('FORMAT 3 is kept there, 2 is known')],
  });
  await scheduler.tick();
  expect(await listKeys(url, '*')).toEqual(['{shop}:queue']);
});

async function startServer() {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  return { url: server.url, redis };
}

function optionsFor(url: string) {
  return {
    url,
    workspace: 'shop',
    clock: createRealClock(),
    random: (length: number) => randomBytes(length),
    limits: { maxConcurrent: 4, maxQueuePerProvider: 10, maxWaitMs: 60_000, leaseTtlMs: 60_000 },
    logger: createMemoryLogger(),
    volatile: true,
  };
}

function entry() {
  return aQueueEntry({ commandId: aCommandId('one'), claims: [writeClaim(pathResource('a.ts'))] });
}

async function contentsOf(redis: Redis): Promise<Readonly<Record<string, unknown>>> {
  const keys = (await redis.keys('*')).toSorted();
  const values = await Promise.all(keys.map(async (key) => (await redis.dumpBuffer(key))?.toString('hex')));
  return Object.fromEntries(keys.map((key, n) => [key, values[n]]));
}
