import type { NewEvent } from '@signalbox/core';
import { createManualClock, createMemoryStore } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { watchEvents } from './watch-events.ts';

/** A watcher that may watch as long as `welcome` says so. */
function watch(welcome: () => Promise<boolean>) {
  const clock = createManualClock();
  const { events } = createMemoryStore(clock);
  const heard: string[] = [];
  const { promise: dropped, resolve: drop } = Promise.withResolvers<void>();
  watchEvents({
    events,
    clock,
    isWelcome: welcome,
    wants: () => true,
    after: null,
    watcher: { write: (text) => heard.push(text), drained: async () => undefined, drop },
  });
  return { clock, events, heard, dropped };
}

test.each([
  ['is revoked', async () => false],
  ['can’t be looked up', async () => Promise.reject(new Error('no such file'))],
])('a stream ends by its next sign of life when the token of who watches %s', async (_, welcome) => {
  let answers = [async () => true, welcome];
  const { clock, events, heard, dropped } = watch(async () => {
    const [answer = welcome, ...rest] = answers;
    answers = rest;
    return answer();
  });
  await expect.poll(() => heard.length).toBe(1);
  await clock.advance(15_000);
  await expect.poll(() => answers.length).toBe(1);
  await events.append([{ type: 'mode_changed', from: 'NORMAL', to: 'ALERT', by: 'test', reason: 'heard' }]);
  expect(heard.at(-1)).toContain('"heard"');
  await clock.advance(15_000);
  await dropped;
  await events.append([
    { type: 'mode_changed', from: 'ALERT', to: 'NORMAL', by: 'test', reason: 'not heard' },
  ]);
  expect(heard.at(-1)).toBe(': still here\n\n');
});

const said = (n: number, reason = ''): NewEvent => ({
  type: 'mode_changed',
  from: 'NORMAL',
  to: 'NORMAL',
  by: String(n),
  reason,
});

/** A watcher that comes back after the first of so many events, and reads only when it is told to. */
async function comeBack(count: number, reason: string) {
  const clock = createManualClock();
  const { events } = createMemoryStore(clock);
  const [first, ...others] = Array.from({ length: count }, (_, n) => said(n, reason));
  const [{ id: after } = fail()] = await events.append(first === undefined ? [] : [first]);
  await events.append(others);
  const heard: string[] = [];
  let [behind, mostBehind] = [0, 0];
  let drained = Promise.withResolvers<void>();
  let dropped = false;
  watchEvents({
    events,
    clock,
    isWelcome: async () => true,
    wants: () => true,
    after,
    watcher: {
      write(text) {
        heard.push(text);
        behind += text.length;
        mostBehind = Math.max(mostBehind, behind);
        return behind;
      },
      drained: () => drained.promise,
      drop: () => (dropped = true),
    },
  });
  return {
    clock,
    events,
    isDropped: () => dropped,
    mostBehind: () => mostBehind,
    reportedTo: () => heard.flatMap((text) => /"by":"(\d+)"/.exec(text)?.[1] ?? []).map(Number),
    kinds: () => heard.flatMap((text) => /^event: (\w+)$/m.exec(text)?.[1] ?? []),
    read() {
      behind = 0;
      drained.resolve();
      drained = Promise.withResolvers();
    },
  };
}

function fail(): never {
  throw new Error('nothing was stored');
}

test('what was missed waits for a slow reader: 10 MB come whole and in order, never more than a few at once (U-B6)', async () => {
  const slow = await comeBack(1001, 'x'.repeat(10_000));
  await expect.poll(slow.mostBehind).toBeGreaterThan(256 * 1024);
  // What happens meanwhile is told after what was missed, once.
  await slow.events.append([said(1001)]);
  await expect
    .poll(() => {
      slow.read();
      return slow.reportedTo().length;
    })
    .toBe(1001);
  await slow.events.append([said(1002)]);
  expect(slow.reportedTo()).toEqual(Array.from({ length: 1002 }, (_, n) => n + 1));
  expect(slow.mostBehind()).toBeLessThan(512 * 1024);
  expect(slow.isDropped()).toBe(false);
});

test('who missed more than 20,000 events is told to begin anew, and hears what comes after that (U-B6)', async () => {
  const late = await comeBack(20_300, '');
  await expect
    .poll(() => {
      late.read();
      return late.kinds();
    })
    .toContain('reset');
  await late.events.append([said(20_300)]);
  await expect.poll(() => late.reportedTo().at(-1)).toBe(20_300);
  expect(late.reportedTo().length).toBeLessThan(20_300);
  expect(late.isDropped()).toBe(false);
});

test('who reads nothing of what was missed is dropped in the end', async () => {
  const stalled = await comeBack(1001, 'x'.repeat(10_000));
  await expect.poll(stalled.mostBehind).toBeGreaterThan(256 * 1024);
  await stalled.clock.advance(300_000);
  expect(stalled.isDropped()).toBe(true);
});
