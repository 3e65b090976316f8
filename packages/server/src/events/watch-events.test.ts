import type { NewEvent } from '@signalbox/core';
import { createManualClock, createMemoryStore } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { watchEvents } from './watch-events.ts';

/** A watcher that may watch while `welcome` resolves to true. */
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
])('a stream ends by its next heartbeat when the token of its watcher %s', async (_, welcome) => {
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

/** A watcher that reconnects after the first of `count` events, and reads only on request. */
async function comeBack(count: number, reason: string) {
  const clock = createManualClock();
  const { events } = createMemoryStore(clock);
  const [first, ...others] = Array.from({ length: count }, (_, n) => said(n, reason));
  const [{ id: after } = fail()] = await events.append(first === undefined ? [] : [first]);
  await events.append(others);
  const heard: string[] = [];
  let [behind, maxBehind] = [0, 0];
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
        maxBehind = Math.max(maxBehind, behind);
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
    maxBehind: () => maxBehind,
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

test('missed events wait for a slow reader: 10 MB arrive complete and in order, a few at a time (U-B6)', async () => {
  const slow = await comeBack(1001, 'x'.repeat(10_000));
  await expect.poll(slow.maxBehind).toBeGreaterThan(256 * 1024);
  // Events that happen during the replay come after the missed ones, once.
  await slow.events.append([said(1001)]);
  await expect
    .poll(() => {
      slow.read();
      return slow.reportedTo().length;
    })
    .toBe(1001);
  await slow.events.append([said(1002)]);
  expect(slow.reportedTo()).toEqual(Array.from({ length: 1002 }, (_, n) => n + 1));
  expect(slow.maxBehind()).toBeLessThan(512 * 1024);
  expect(slow.isDropped()).toBe(false);
});

test('a watcher that missed more than 20,000 events gets a reset and then the events after it (U-B6)', async () => {
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

test('a watcher that never reads its missed events is dropped in the end', async () => {
  const stalled = await comeBack(1001, 'x'.repeat(10_000));
  await expect.poll(stalled.maxBehind).toBeGreaterThan(256 * 1024);
  await stalled.clock.advance(300_000);
  expect(stalled.isDropped()).toBe(true);
});
