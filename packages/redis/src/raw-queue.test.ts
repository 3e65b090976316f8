import { createMemoryLogger } from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { openRawQueue } from './raw-queue.ts';
import { startRedisServer } from './testing/redis-server.ts';

test('a raw queue runs no more at once than it may, tells how each ended, and leaves no key', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const { url } = server;
  const queue = await openRawQueue({ url, name: 'raw', concurrency: 2, logger: createMemoryLogger() });

  const gate = Promise.withResolvers<void>();
  let started = 0;
  const works = Array.from({ length: 5 }, (_, n) =>
    queue.run(async () => {
      started += 1;
      if (started === 2) gate.resolve();
      await gate.promise;
      if (n === 3) throw new Error('planned');
    }),
  );
  await gate.promise;
  expect(started).toBe(2);
  const endings = await Promise.allSettled(works);
  expect(endings.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  await queue.close();
  expect(await redis.keys('*')).toEqual([]);
});
