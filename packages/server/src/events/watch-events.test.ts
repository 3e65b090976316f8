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
    watcher: { write: (text) => heard.push(text), drop },
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
