import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import {
  type QueueDriver,
  startBullmq,
  startGroupmq,
  startQueuePerFile,
  startSignalbox,
} from '../testing/queue-drivers.ts';
import { measure, quantile, type ContentionSample, spreadOf, startDelay } from '../testing/contest.ts';
import { startRedisServer } from '../testing/redis-server.ts';

/** Enough to make the start-up negligible; the first round is a warm-up. */
const COMMANDS = 3000;
const ROUNDS = 8;
const FILES = Array.from({ length: 200 }, (_, n) => `src/module-${n % 20}/file-${n}.ts`);

const different = Array.from({ length: COMMANDS }, (_, n) => `src/module-${n % 20}/file-${n}.ts`);
const tenPercentHot = different.map((file, n) => (n % 10 === 0 ? 'src/hot/file.ts' : file));
const sameFile = different.map(() => 'src/hot/file.ts');
const twoHundred = different.map((_, n) => FILES[(n * 7919) % FILES.length] ?? '');

test('commands on different files keep at least 0.6 of the throughput of raw BullMQ', async () => {
  const ratios = await compete('different files', different, {
    base: (url) => startBullmq(url),
    others: { groupmq: startGroupmq },
  });
  expect(ratios.ratio).toBeGreaterThanOrEqual(0.6);
  expect(ratios.scripts).toBeLessThanOrEqual(3);
}, 600_000);

test('one command in ten on the same file keeps at least 0.5 of raw BullMQ', async () => {
  const ratios = await compete('10 % on one file', tenPercentHot, {
    base: (url) => startBullmq(url),
    others: { groupmq: startGroupmq },
  });
  expect(ratios.ratio).toBeGreaterThanOrEqual(0.5);
}, 600_000);

test('commands on the same file keep at least 0.6 of BullMQ with concurrency 1', async () => {
  const ratios = await compete('all on one file', sameFile, {
    base: (url) => startBullmq(url, 1),
    others: { groupmq: startGroupmq },
  });
  expect(ratios.ratio).toBeGreaterThanOrEqual(0.6);
}, 600_000);

test('one queue for 200 files is at least 1.1 times as fast as a queue per file', async () => {
  const ratios = await compete('200 files', twoHundred, {
    base: (url) => startQueuePerFile(url, FILES),
    others: { groupmq: startGroupmq },
  });
  expect(ratios.ratio).toBeGreaterThanOrEqual(1.1);
}, 600_000);

test('from submit to start takes at most 1.4 times as long as with raw BullMQ', async () => {
  const { server } = await openServer();
  const [ours, theirs] = await Promise.all([startSignalbox(server.url), startBullmq(server.url)]);
  const delays: { ours: number; theirs: number }[] = [];
  for (let n = 0; n < 600; n++) {
    const file = `src/file-${n}.ts`;
    const first = n % 2 === 0;
    const one = await startDelay(first ? ours : theirs, file);
    const other = await startDelay(first ? theirs : ours, file);
    delays.push(first ? { ours: one, theirs: other } : { ours: other, theirs: one });
  }
  await Promise.all([ours.close(), theirs.close()]);
  const half = (of: 'ours' | 'theirs', part: number): number =>
    quantile(
      delays.map((delay) => delay[of]),
      part,
    );
  console.log(
    `submit → start: ${half('ours', 0.5).toFixed(3)} ms (p99 ${half('ours', 0.99).toFixed(3)}), ` +
      `BullMQ ${half('theirs', 0.5).toFixed(3)} ms (p99 ${half('theirs', 0.99).toFixed(3)})`,
  );
  expect(half('ours', 0.5) / half('theirs', 0.5)).toBeLessThanOrEqual(1.4);
}, 120_000);

/** Runs ours and the others in turn on one server, and prints each one's ratio to the base of its round. */
async function compete(
  load: string,
  files: readonly string[],
  starts: {
    readonly base: (url: string) => Promise<QueueDriver>;
    readonly others: Readonly<Record<string, (url: string) => Promise<QueueDriver>>>;
  },
): Promise<{ readonly ratio: number; readonly scripts: number }> {
  const { server, redis } = await openServer();
  const entrants = { base: starts.base, signalbox: startSignalbox, ...starts.others };
  const contenders = new Map<string, QueueDriver>();
  for (const [name, start] of Object.entries(entrants)) contenders.set(name, await start(server.url));
  const rounds: ReadonlyMap<string, ContentionSample>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const samples = new Map<string, ContentionSample>();
    const order = [...contenders];
    if (round % 2 === 1) order.reverse();
    for (const [name, contender] of order) samples.set(name, await measure(redis, contender, { files }));
    if (round > 0) rounds.push(samples);
  }
  await Promise.all(Array.from(contenders.values(), (contender) => contender.close()));

  const all = (
    name: string,
    of: (sample: ContentionSample, base: ContentionSample) => number,
  ): readonly number[] =>
    rounds.flatMap((samples) => {
      const [sample, base] = [samples.get(name), samples.get('base')];
      return sample === undefined || base === undefined ? [] : [of(sample, base)];
    });
  for (const name of contenders.keys())
    console.log(
      `${load}, ${name}: ${spreadOf(all(name, (one, base) => one.perSecond / base.perSecond))} of the base, ` +
        `${spreadOf(
          all(name, (one) => one.perSecond),
          0,
        )} a second, ` +
        `Redis ${spreadOf(
          all(name, (one) => one.redisUs),
          0,
        )} us, ${spreadOf(all(name, (one) => one.scripts))} scripts a command`,
    );
  return {
    ratio: quantile(
      all('signalbox', (one, base) => one.perSecond / base.perSecond),
      0.5,
    ),
    scripts: quantile(
      all('signalbox', (one) => one.scripts),
      0.5,
    ),
  };
}

async function openServer() {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  return { server, redis };
}
