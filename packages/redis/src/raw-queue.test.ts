import { createMemoryLogger } from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { openRawQueue } from './raw-queue.ts';
import { startRedisServer } from './testing/redis-server.ts';

test('a raw queue respects its concurrency, reports how each job ended, and leaves no key', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const { url } = server;
  const queue = await openRawQueue({ url, name: 'raw', concurrency: 2, logger: createMemoryLogger() });

  const two = Promise.withResolvers<void>();
  let running = 0;
  let peak = 0;
  const works = Array.from({ length: 5 }, (_, n) =>
    queue.run(async () => {
      running += 1;
      peak = Math.max(peak, running);
      if (running === 2) two.resolve();
      await two.promise;
      // Enough time for a third one to start, if it had a slot.
      for (let pings = 0; pings < 20; pings++) await redis.ping();
      running -= 1;
      if (n === 3) throw new Error('planned');
    }),
  );
  const endings = await Promise.allSettled(works);
  expect(peak).toBe(2);
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
