import { pathResource, writeClaim } from '@signalbox/core';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { entryFor } from '../testing/queue-drivers.ts';
import { startRedisServer } from '../testing/redis-server.ts';
import { startSchedulerProcess } from '../testing/scheduler-process.ts';

const LIMITS = {
  maxConcurrent: 50,
  maxQueuePerProvider: 1_000_000,
  maxWaitMs: 3_600_000,
  leaseTtlMs: 600_000,
};

test('a command is as many operations for Redis with 1,000 waiting as with 10', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const counts: number[] = [];
  for (const waiting of [10, 1000]) {
    const limits = { ...LIMITS };
    const { scheduler } = await startSchedulerProcess({ workspace: `w${waiting}`, url: server.url, limits });
    await Promise.all(Array.from({ length: waiting + 1 }, () => scheduler.enqueue(entryFor('hot.ts'))));
    const before = await operationsOf(redis);
    for (let n = 0; n < 20; n++) {
      const answer = await scheduler.enqueue(entryFor(`file-${n}.ts`));
      if (answer.kind === 'granted') await scheduler.release(answer.lease.leaseId);
    }
    counts.push((await operationsOf(redis)) - before);
    const claims = [writeClaim(pathResource('hot.ts'))];
    expect((await scheduler.enqueue({ ...entryFor('hot.ts'), claims })).kind).toBe('waiting');
  }
  const [few = 0, many = 0] = counts;
  expect(few).toBeGreaterThan(100);
  // Timers of the scheduler may add some; a walk over all that wait would be a hundred times as much.
  expect(many / few).toBeLessThan(1.5);
});

/** Calls of all commands, those of scripts included. */
async function operationsOf(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  return [...stats.matchAll(/:calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}
