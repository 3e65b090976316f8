import { randomBytes } from 'node:crypto';
import { type Lease, pathResource, readClaim, WORKSPACE, writeClaim } from '@signalbox/core';
import { createMemoryLogger } from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisBackend } from '../backend.ts';
import { entryFor } from '../testing/queue-drivers.ts';
import { costsOf, quantile, spreadOf } from '../testing/contest.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { startRedisServer } from '../testing/redis-server.ts';

const HOT = 'src/module/hot.ts';

test('enqueue and release cost Redis at most 1.2 times as much with 100,000 waiting as with none', async () => {
  const [empty, full] = [await openRuntime(), await openRuntime()];
  await full.lineUp(1 + 100_000);
  const usedBytes = (await full.usedBytes()) - (await empty.usedBytes());
  const samples: { empty: number; full: number }[] = [];
  for (let n = 0; n < 40; n++) {
    // Alternating, so that other load on the machine affects both alike.
    const first = n % 2 === 0;
    const one = await (first ? empty : full).costOfPairs();
    const other = await (first ? full : empty).costOfPairs();
    samples.push(first ? { empty: one, full: other } : { empty: other, full: one });
  }
  const ratios = samples.map((pair) => pair.full / pair.empty);
  console.log(
    `processor time of Redis to enqueue and release beside: none waiting ${spreadOf(
      samples.map((pair) => pair.empty),
      1,
    )} us, 100,000 waiting ${spreadOf(
      samples.map((pair) => pair.full),
      1,
    )} us, ratio ${spreadOf(ratios)}; ${Math.round(usedBytes / 100_000)} bytes a waiting command`,
  );
  expect(usedBytes / 100_000).toBeLessThan(1000);
  expect(quantile(ratios, 0.5)).toBeLessThanOrEqual(1.2);
}, 300_000);

test('no script blocks Redis longer than 12 ms while 10,000 commands become free at once', async () => {
  const longest: number[] = [];
  for (let round = 0; round < 5; round++) longest.push(await longestPromotion(10_000));
  console.log(`longest script while 10,000 become free: ${spreadOf(longest, 1)} ms`);
  expect(quantile(longest, 0.5)).toBeLessThanOrEqual(12);
}, 300_000);

/** Milliseconds of the longest script, from the release that frees all readers to the last grant. */
async function longestPromotion(readers: number): Promise<number> {
  const runtime = await openRuntime();
  const all = await runtime.scheduler.enqueue({ ...entryFor(HOT), claims: [writeClaim(WORKSPACE)] });
  if (all.kind !== 'granted') throw new Error('not granted');
  const entries = Array.from({ length: readers }, () => ({
    ...entryFor(HOT),
    claims: [readClaim(pathResource(HOT))],
  }));
  await runtime.enqueueAll(entries);
  await runtime.redis.config('SET', 'slowlog-max-len', '100000');
  await runtime.redis.config('SET', 'slowlog-log-slower-than', '100');
  await runtime.redis.slowlog('RESET');
  await runtime.scheduler.release(all.lease.leaseId);
  await expect.poll(() => runtime.granted.length, { timeout: 60_000 }).toBe(readers);
  const slow = (await runtime.redis.slowlog('GET', -1)) as readonly (readonly [number, number, number])[];
  await runtime.close();
  return Math.max(...slow.map(([, , us]) => us)) / 1000;
}

async function openRuntime() {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const { scheduler, close } = await createRedisBackend({
    url: server.url,
    workspace: 'shop',
    clock: createRealClock(),
    random: (length) => randomBytes(length),
    limits: {
      maxConcurrent: 20_000,
      maxQueuePerProvider: 1_000_000,
      maxWaitMs: 3_600_000,
      leaseTtlMs: 600_000,
    },
    logger: createMemoryLogger(),
    volatile: true,
  });
  onTestFinished(close);
  const granted: Lease[] = [];
  scheduler.listen({
    granted: (lease) => void granted.push(lease),
    lost: () => undefined,
    stale: () => undefined,
  });
  const enqueueAll = async (entries: readonly ReturnType<typeof entryFor>[]): Promise<void> => {
    for (let n = 0; n < entries.length; n += 500)
      await Promise.all(entries.slice(n, n + 500).map((entry) => scheduler.enqueue(entry)));
  };
  return {
    scheduler,
    redis,
    granted,
    close,
    enqueueAll,
    lineUp: (count: number) => enqueueAll(Array.from({ length: count }, () => entryFor(HOT))),
    async usedBytes(): Promise<number> {
      return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    },
    /**
     * Redis's processor time in microseconds for one command that comes and goes on its own file. Not the scripts'
     * durations: those include other load on the machine.
     */
    async costOfPairs(): Promise<number> {
      const before = await costsOf(redis);
      for (let n = 0; n < 200; n++) {
        const answer = await scheduler.enqueue(entryFor(`src/module/file-${n}.ts`));
        if (answer.kind === 'granted') await scheduler.release(answer.lease.leaseId);
      }
      const after = await costsOf(redis);
      return ((after.seconds - before.seconds) * 1e6) / 200;
    },
  };
}
