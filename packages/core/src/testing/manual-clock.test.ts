import { expect, test } from 'vitest';
import { clockContract } from './contracts/clock-contract.ts';
import { createManualClock } from './manual-clock.ts';

clockContract('the manual clock', () => {
  const clock = createManualClock();
  return { clock, pass: (ms) => clock.advance(ms) };
});

test('a manual clock does not move by itself', async () => {
  const clock = createManualClock(1000);
  expect([clock.now(), clock.monotonic()]).toEqual([1000, 0]);
  await clock.advance(5);
  expect([clock.now(), clock.monotonic()]).toEqual([1005, 5]);
});

test('advance() runs the timers and promises started on the way, each at its own moment', async () => {
  const clock = createManualClock(0);
  const moments: number[] = [];
  const again = (): void => {
    moments.push(clock.now());
    void Promise.resolve().then(() => clock.timer(10, again));
  };
  clock.timer(10, again);
  await clock.advance(35);
  expect(moments).toEqual([10, 20, 30]);
  expect(clock.pendingTimers()).toBe(1);
});

test('setNow() moves the wall clock alone', async () => {
  const clock = createManualClock(1000);
  let called = false;
  clock.timer(10, () => (called = true));
  clock.setNow(5_000_000);
  expect([clock.now(), clock.monotonic(), called]).toEqual([5_000_000, 0, false]);
  await clock.advance(10);
  expect([clock.now(), called]).toEqual([5_000_010, true]);
});
