import { createManualClock, createMemoryLogger } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../connection/connection.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { type RedisServer, startRedisServer } from '../testing/redis-server.ts';
import { createOutputStream, type StreamedOutput, type OutputStream } from './output-stream.ts';
import { createOutputWriter } from './output-writer.ts';

let server: RedisServer;
let outputs = 0;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.close());

test('what one process prints is read by another, in order and complete', async () => {
  const { connection } = await connect();
  const someChunk = fc.record({
    stream: fc.constantFrom<StreamedOutput['stream'][]>('stdout', 'stderr'),
    text: fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(someChunk, { maxLength: 3 }), { maxLength: 8 }), async (batches) => {
      outputs += 1;
      const output = createOutputStream({ connection, name: `any-${outputs}` });
      for (const batch of batches) await output.append(batch);
      const read = await readAll(output, 1);
      expect(textsOf(read.chunks)).toEqual(textsOf(batches.flat()));
      expect(read.missedBytes).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test('output beyond the bound is dropped, oldest first, and a late reader gets the number of missed bytes', async () => {
  const { connection } = await connect();
  const output = createOutputStream({ connection, name: 'long', keepBytes: 100 });
  for (let n = 0; n < 50; n++)
    await output.append([{ stream: 'stdout', text: `${n}`.padStart(9, '0') + '\n' }]);
  const { chunks, missedBytes, position } = await output.read(20);
  expect({ kept: chunks.length, missedBytes, position }).toEqual({
    kept: 11,
    missedBytes: 370,
    position: 500,
  });
  expect(await output.read(500)).toEqual({ position: 500, chunks: [], missedBytes: 0 });
});

test('a reader of an output that Redis forgot reads what came after', async () => {
  const { connection } = await connect();
  const output = createOutputStream({ connection, name: 'forgotten' });
  await output.append([{ stream: 'stdout', text: 'a long first line' }]);
  const { position } = await output.read(0);
  await output.drop();
  expect(await output.read(position)).toEqual({ position, chunks: [], missedBytes: 0 });
  await output.append([{ stream: 'stderr', text: 'new' }]);
  expect(await output.read(position)).toEqual({
    position: 3,
    chunks: [{ stream: 'stderr', text: 'new' }],
    missedBytes: 0,
  });
});

test('a follower is called for each batch until it stops following', async () => {
  const { connection: writes } = await connect();
  const { connection: reads } = await connect();
  const written = createOutputStream({ connection: writes, name: 'followed' });
  const followed = createOutputStream({ connection: reads, name: 'followed' });
  let heard = '';
  let position = 0;
  const readOn = async (): Promise<void> => {
    const page = await followed.read(position);
    if (page.position > position) heard += page.chunks.map(({ text }) => text).join('');
    position = Math.max(position, page.position);
  };
  const stop = await followed.follow(() => void readOn());
  await written.append([{ stream: 'stdout', text: 'one ' }]);
  await expect.poll(() => heard).toBe('one ');
  await written.append([{ stream: 'stdout', text: 'two' }]);
  await expect.poll(() => heard).toBe('one two');
  stop();
  await expect
    .poll(() => reads.ask((redis) => redis.pubsub('NUMSUB', `${reads.prefix}output:followed`)))
    .toEqual([`${reads.prefix}output:followed`, 0]);
});

test('output that is never dropped expires', async () => {
  const { connection } = await connect();
  const output = createOutputStream({ connection, name: 'left', keepMs: 60_000 });
  await output.append([{ stream: 'stdout', text: 'x' }]);
  const leftMs = await connection.ask((redis) => redis.pttl(`${connection.prefix}output:left`));
  expect(leftMs).toBeGreaterThan(0);
  expect(leftMs).toBeLessThanOrEqual(60_000);
});

test('the writer buffers small pieces for 50 ms or 16 KiB and keeps their order', async () => {
  const { connection } = await connect();
  const clock = createManualClock();
  const output = createOutputStream({ connection, name: 'gathered' });
  const writer = createOutputWriter({ output, clock, logger: createMemoryLogger() });
  for (const letter of 'abc') writer.push('stdout', letter);
  writer.push('stderr', '!');
  expect((await output.read(0)).chunks).toEqual([]);
  await clock.advance(50);
  const gathered = [
    { stream: 'stdout', text: 'abc' },
    { stream: 'stderr', text: '!' },
  ];
  await expect.poll(async () => (await output.read(0)).chunks).toEqual(gathered);
  const long = 'x'.repeat(16 * 1024);
  writer.push('stdout', long);
  await expect.poll(async () => (await output.read(4)).chunks).toEqual([{ stream: 'stdout', text: long }]);
  writer.push('stdout', 'end');
  await writer.end();
  expect((await output.read(4 + long.length)).chunks).toEqual([{ stream: 'stdout', text: 'end' }]);
});

async function connect() {
  const logger = createMemoryLogger();
  const connection = await openConnection({
    url: server.url,
    workspace: 'shop',
    clock: createRealClock(),
    logger,
  });
  onTestFinished(() => connection.close());
  return { connection, logger };
}

async function readAll(output: OutputStream, limit: number) {
  const chunks: StreamedOutput[] = [];
  let missedBytes = 0;
  for (let position = 0; ;) {
    const page = await output.read(position, limit);
    if (page.position === position) return { chunks, missedBytes };
    chunks.push(...page.chunks);
    missedBytes += page.missedBytes;
    position = page.position;
  }
}

function textsOf(chunks: readonly StreamedOutput[]): Readonly<Record<StreamedOutput['stream'], string>> {
  const textOf = (wanted: StreamedOutput['stream']): string =>
    chunks.flatMap(({ stream, text }) => (stream === wanted ? [text] : [])).join('');
  return { stdout: textOf('stdout'), stderr: textOf('stderr') };
}
