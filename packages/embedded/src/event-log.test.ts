import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@signalbox/core';
import { anOutputEvent, createManualClock, createMemoryLogger } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import { createEventLog } from './event-log.ts';

test('ids grow while the clock stands still, when it goes back, and across restarts', async () => {
  const folder = await someFolder();
  const clock = createManualClock(5000);
  const first = openLog(folder, clock);
  const ids = [await first.add('a'), await first.add('b')];
  clock.setNow(1000);
  ids.push(await first.add('c'));
  first.close();
  const second = openLog(folder, clock);
  ids.push(await second.add('d'));
  clock.setNow(6000);
  ids.push(await second.add('e'));
  expect(ids).toEqual(['5000-0', '5000-1', '5000-2', '5000-3', '6000-0']);
  expect(await second.events.lastId()).toBe('6000-0');
});

test("an event carries the clock's time even when the clock went back", async () => {
  const clock = createManualClock(5000);
  const log = openLog(await someFolder(), clock);
  await log.add('a');
  clock.setNow(1000);
  expect((await log.events.append([anOutputEvent()])).map(({ at }) => at)).toEqual([1000]);
});

test('trimmed ids are still known as trimmed after a restart', async () => {
  const folder = await someFolder();
  const clock = createManualClock(5000);
  const first = openLog(folder, clock, { keep: 10 });
  for (let n = 0; n < 30; n++) await first.add(`${n}`);
  expect((await first.events.since(null)).kind).toBe('events');
  const oldest = '5000-0' as Awaited<ReturnType<typeof first.add>>;
  expect(await first.events.since(oldest)).toEqual({ kind: 'reset' });
  first.close();
  expect(await openLog(folder, clock, { keep: 10 }).events.since(oldest)).toEqual({ kind: 'reset' });
});

test('an error thrown by a listener is logged', async () => {
  const log = openLog(await someFolder(), createManualClock());
  const error = new Error('broken');
  log.events.subscribe(() => {
    throw error;
  });
  await log.add('a');
  expect(log.lines).toEqual([
    { level: 'error', facts: { error }, message: 'event listener failed; it stays subscribed' },
  ]);
});

test('a subscriber added while an event is being delivered does not receive that event', async () => {
  const log = openLog(await someFolder(), createManualClock());
  const late: string[] = [];
  let subscribed = false;
  log.events.subscribe(() => {
    if (!subscribed) log.events.subscribe(({ id }) => late.push(id));
    subscribed = true;
  });
  await log.events.append([anOutputEvent('a'), anOutputEvent('b')]);
  const id = await log.add('c');
  expect(late).toEqual([id]);
});

async function someFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-events-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function openLog(folder: string, clock: Clock, { keep }: Readonly<{ keep?: number }> = {}) {
  const database = openDatabase(folder);
  onTestFinished(() => database.close());
  const logger = createMemoryLogger();
  const events = createEventLog({ database, clock, logger, ...(keep === undefined ? {} : { keep }) });
  return {
    events,
    lines: logger.lines,
    async add(text: string) {
      const [event] = await events.append([anOutputEvent(text)]);
      if (event === undefined) throw new Error('nothing was stored');
      return event.id;
    },
    close: () => database.close(),
  };
}
