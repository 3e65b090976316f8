import type { RawQueue } from '@signalbox/redis';
import type { BenchWorld } from '../bench-world.ts';
import type { Baseline } from '../report/bench-report.ts';
import { createPlaces } from './create-places.ts';

/** What stands between agents and their work where Signalbox does not. */
export type WayIn = Readonly<{
  /** Settles when the work is done, and known to be. */
  pass(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}>;

export type WayInOptions = Readonly<{
  places: number;
  world: Pick<BenchWorld, 'redis' | 'random' | 'log'>;
}>;

/** `bullmq` needs a Redis: see `waysIn`. */
export async function openWayIn(id: Baseline['id'], { places, world }: WayInOptions): Promise<WayIn> {
  if (id !== 'bullmq' || world.redis === null) return throughPlaces(id === 'one-lock' ? 1 : places);
  return throughQueue(world.redis.url, { places, world });
}

/** What a run can be compared with in this world. */
export function waysIn({ redis }: Pick<BenchWorld, 'redis'>): readonly Baseline['id'][] {
  return redis === null ? ['plain', 'one-lock'] : ['plain', 'one-lock', 'bullmq'];
}

function throughPlaces(count: number): WayIn {
  const places = createPlaces(count);
  return {
    async pass(work) {
      await places.enter();
      await work().finally(places.leave);
    },
    close: () => Promise.resolve(),
  };
}

async function throughQueue(url: string, { places, world }: WayInOptions): Promise<WayIn> {
  // Whoever keeps everything in one file has no use for it.
  const { openRawQueue } = await import('@signalbox/redis');
  const name = `signalbox-bench-${Buffer.from(world.random(8)).toString('hex')}`;
  const { run, close }: RawQueue = await openRawQueue({
    url,
    name,
    concurrency: places,
    logger: world.log,
  });
  return { pass: run, close };
}
