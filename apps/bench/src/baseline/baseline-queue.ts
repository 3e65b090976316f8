import type { RawQueue } from '@signalbox/redis';
import type { BenchWorld } from '../bench-world.ts';
import type { Baseline } from '../report/bench-report.ts';

/** The available baselines: raw BullMQ needs a Redis. */
export function baselinesIn({ redis }: Pick<BenchWorld, 'redis'>): readonly Baseline['id'][] {
  return redis === null ? ['plain', 'one-lock'] : ['plain', 'one-lock', 'bullmq'];
}

/**
 * The queue of a baseline, in place of Signalbox.
 *
 * @param id One of `baselinesIn(world)`.
 */
export async function openBaselineQueue(
  id: Baseline['id'],
  concurrency: number,
  { redis, random, log }: Pick<BenchWorld, 'redis' | 'random' | 'log'>,
): Promise<RawQueue> {
  if (id !== 'bullmq' || redis === null) return createSlotQueue(id === 'one-lock' ? 1 : concurrency);
  // Not loaded for the embedded backend.
  const { openRawQueue } = await import('@signalbox/redis');
  const name = `signalbox-bench-${Buffer.from(random(8)).toString('hex')}`;
  return openRawQueue({ url: redis.url, name, concurrency, logger: log });
}

/** Runs at most `slots` commands at once, in order of arrival. */
function createSlotQueue(slots: number): RawQueue {
  const waiting: (() => void)[] = [];
  let free = slots;

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      await work().finally(leave);
    },
    close: () => Promise.resolve(),
  };
}
