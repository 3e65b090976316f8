import { aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createSessionBarrier } from './session-barrier.ts';

const [A, B] = [aSessionId('a'), aSessionId('b')];

/** Whether it has settled, once everything that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test('nothing is checked while a session works', async () => {
  const barrier = createSessionBarrier([A, B]);
  const all = barrier.allResting();
  void barrier.rest(A, new AbortController().signal);
  expect(await isSettled(all)).toBe(false);
  barrier.leave(B);
  expect(await isSettled(all)).toBe(true);
  expect(barrier.resting()).toBe(1);
});

test('released sessions are told the same, and work until they rest again', async () => {
  const barrier = createSessionBarrier([A, B]);
  const { signal } = new AbortController();
  const told = [barrier.rest(A, signal), barrier.rest(B, signal)];
  barrier.release('mend it');
  expect(await Promise.all(told)).toEqual(['mend it', 'mend it']);
  const again = barrier.allResting();
  expect(await isSettled(again)).toBe(false);
  void barrier.rest(A, signal);
  barrier.leave(B);
  expect(await isSettled(again)).toBe(true);
});

test('a session that continues by itself is waited for again', async () => {
  const barrier = createSessionBarrier([A]);
  const saidMore = new AbortController();
  const rest = barrier.rest(A, saidMore.signal);
  saidMore.abort();
  expect(await rest).toBeNull();
  expect(barrier.resting()).toBe(0);
  expect(await isSettled(barrier.allResting())).toBe(false);
});

test('a session that still works when all others end does not rest for ever', async () => {
  const barrier = createSessionBarrier([A, B]);
  const { signal } = new AbortController();
  const rest = barrier.rest(A, signal);
  barrier.open();
  expect(await Promise.all([rest, barrier.rest(B, signal)])).toEqual([null, null]);
});

test('an abort after the release changes nothing', async () => {
  const barrier = createSessionBarrier([A]);
  const late = new AbortController();
  const rest = barrier.rest(A, late.signal);
  barrier.open();
  expect(await rest).toBeNull();
  late.abort();
  barrier.leave(A);
  expect(await isSettled(barrier.allResting())).toBe(true);
});
