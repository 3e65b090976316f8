import type { Event } from '@signalbox/core';
import { expect, test } from 'vitest';
import { gatherEvents } from './gather-events.ts';

const one = {} as Event;

function open() {
  const frames: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const handed: number[] = [];
  let now = 0;
  const take = gatherEvents((events) => handed.push(events.length), {
    nextFrame: (run) => frames.push(run),
    after: (_, run) => timers.push(run),
    now: () => now,
  });
  return { take, frames, timers, handed, wait: (ms: number) => (now += ms) };
}

test('events of one frame are passed on together', () => {
  const { take, frames, handed } = open();
  take(one);
  take(one);
  expect(frames).toHaveLength(1);
  frames[0]?.();
  take(one);
  frames[1]?.();
  expect(handed).toEqual([2, 1]);
});

test('above 60 events a second they are passed on four times a second, and after a calm second by frames again', () => {
  const { take, frames, timers, handed, wait } = open();
  for (let i = 0; i < 100; i += 1) take(one);
  frames[0]?.();
  take(one);
  timers[0]?.();
  wait(1000);
  take(one);
  timers[1]?.();
  expect([frames.length, timers.length]).toEqual([1, 2]);
  wait(1000);
  take(one);
  frames[1]?.();
  expect([frames.length, timers.length]).toEqual([2, 2]);
  expect(handed).toEqual([100, 1, 1, 1]);
});

test('after a pause nothing is late: earlier events count no more', () => {
  const { take, frames, handed, wait } = open();
  for (let i = 0; i < 100; i += 1) take(one);
  frames[0]?.();
  wait(2000);
  take(one);
  frames[1]?.();
  expect(handed).toEqual([100, 1]);
});
