import type { Redis } from 'ioredis';
import type { QueueDriver } from './queue-drivers.ts';

/** Measured cost of a number of commands. */
export type ContentionSample = {
  readonly perSecond: number;
  /** Redis's processor time, in microseconds per command. */
  readonly redisUs: number;
  /** Scripts run by Redis, per command. */
  readonly scripts: number;
};

/** Adds a command for each of these files, with at most `inFlight` unfinished at a time. */
export async function measure(
  redis: Redis,
  contender: QueueDriver,
  { files, inFlight = 200 }: Readonly<{ files: readonly string[]; inFlight?: number }>,
): Promise<ContentionSample> {
  const before = await costsOf(redis);
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    let next = 0;
    let over = 0;
    const addNext = (): void => {
      const file = files[next];
      next += 1;
      if (file !== undefined) contender.add(file).catch(reject);
    };
    contender.onEnd(() => {
      over += 1;
      if (over === files.length) resolve();
      else addNext();
    });
    for (let n = 0; n < Math.min(inFlight, files.length); n++) addNext();
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await costsOf(redis);
  return {
    perSecond: files.length / seconds,
    redisUs: ((after.seconds - before.seconds) * 1e6) / files.length,
    scripts: (after.scripts - before.scripts) / files.length,
  };
}

/** Milliseconds from adding a command to its start, on an idle queue. */
export async function startDelay(contender: QueueDriver, file: string): Promise<number> {
  const over = new Promise<void>((resolve) => {
    contender.onEnd(resolve);
  });
  const askedAt = performance.now();
  const started = new Promise<number>((resolve) => {
    contender.onStart(() => resolve(performance.now() - askedAt));
  });
  await contender.add(file);
  await over;
  return started;
}

export async function costsOf(redis: Redis) {
  const text = `${await redis.info('cpu')}\n${await redis.info('commandstats')}`;
  const numberAt = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    /** Processor time of the whole server. */
    seconds: numberAt(/used_cpu_user:([\d.]+)/) + numberAt(/used_cpu_sys:([\d.]+)/),
    scripts: numberAt(/cmdstat_evalsha:calls=(\d+)/) + numberAt(/cmdstat_eval:calls=(\d+)/),
  };
}

/** Median and quartiles: `0.62 (0.58–0.66)`. */
export function spreadOf(numbers: readonly number[], digits = 2): string {
  const at = (part: number): string => quantile(numbers, part).toFixed(digits);
  return `${at(0.5)} (${at(0.25)}–${at(0.75)})`;
}

export function quantile(numbers: readonly number[], part: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)] ?? Number.NaN;
}
