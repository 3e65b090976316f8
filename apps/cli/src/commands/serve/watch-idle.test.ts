import { createManualClock } from '@signalbox/core/testing';
import { expect, test, vi } from 'vitest';
import { watchIdle } from './watch-idle.ts';

const MINUTE = 60_000;

function watched(options: { idleExitMs?: number } = {}) {
  const clock = createManualClock();
  const now = { open: 0, served: 0, work: 0, found: true };
  let ended = false;
  const stop = watchIdle({
    idleExitMs: options.idleExitMs ?? 15 * MINUTE,
    clock,
    activity: () => now,
    atWork: () => Promise.resolve(now.work),
    isFound: () => now.found,
    onIdle: () => {
      ended = true;
    },
  });
  /** Advances time poll by poll. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 15_000) {
      await clock.advance(15_000);
      await Promise.resolve();
    }
  }
  return { now, pass, stop, ended: () => ended };
}

test('it ends 15 minutes after the last request', async () => {
  const { now, pass, ended } = watched();
  await pass(14 * MINUTE);
  now.served = 1;
  await pass(14 * MINUTE);
  expect(ended()).toBe(false);
  await pass(2 * MINUTE);
  expect(ended()).toBe(true);
});

test.for(['open', 'work'] as const)('it stays while there is something: %s', async (what) => {
  const { now, pass, ended } = watched();
  now[what] = 1;
  await pass(120 * MINUTE);
  expect(ended()).toBe(false);
  now[what] = 0;
  await pass(16 * MINUTE);
  expect(ended()).toBe(true);
});

test('a machine that slept for a day was not idle for a day: one late poll is one poll', async () => {
  const timers: (() => void)[] = [];
  const ended = vi.fn<() => void>();
  watchIdle({
    idleExitMs: 15 * MINUTE,
    clock: { timer: (_, callback) => (timers.push(callback), () => undefined) },
    activity: () => ({ open: 0, served: 0 }),
    atWork: () => Promise.resolve(0),
    isFound: () => true,
    onIdle: ended,
  });
  timers.shift()?.();
  await vi.waitFor(() => expect(timers).toHaveLength(1));
  expect(ended).not.toHaveBeenCalled();
});

test('with 0 it stays, until no client can find it any more', async () => {
  const { now, pass, ended } = watched({ idleExitMs: 0 });
  await pass(24 * 60 * MINUTE);
  expect(ended()).toBe(false);
  now.found = false;
  now.open = 1;
  await pass(5 * MINUTE);
  expect(ended()).toBe(false);
  now.open = 0;
  await pass(MINUTE);
  expect(ended()).toBe(true);
});
