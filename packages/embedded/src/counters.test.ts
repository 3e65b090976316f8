import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createCounters } from './counters.ts';
import { openDatabase } from './database.ts';

const WINDOW = { key: 'a', limit: 2, windowMs: 1000 };

test('a clock that was set back delays nothing for longer than the window', async () => {
  const { clock, counters } = await setUp();
  await counters.take(WINDOW);
  await counters.take(WINDOW);
  clock.setNow(clock.now() - 1_000_000);
  expect(await counters.take(WINDOW)).toEqual({ kind: 'exhausted', used: 2, retryAfterMs: 1000 });
  await clock.advance(1000);
  expect(await counters.take(WINDOW)).toEqual({ kind: 'taken', used: 1 });
});

test('after a limit is lowered, retryAfter is the time until enough entries have left the window', async () => {
  const { clock, counters } = await setUp();
  for (let n = 0; n < 3; n++) {
    await counters.take({ ...WINDOW, limit: 3 });
    await clock.advance(100);
  }
  expect(await counters.take({ ...WINDOW, limit: 1 })).toEqual({
    kind: 'exhausted',
    used: 3,
    retryAfterMs: 900,
  });
});

test('an entry exactly as old as the window has left it', async () => {
  const { clock, counters } = await setUp();
  await counters.take(WINDOW);
  await clock.advance(999);
  expect(await counters.used('a', 1000)).toBe(1);
  await clock.advance(1);
  expect(await counters.used('a', 1000)).toBe(0);
});

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-counters-'));
  const database = openDatabase(folder);
  onTestFinished(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });
  const clock = createManualClock();
  return { clock, counters: createCounters(database, clock) };
}
