import { aCommandRecord } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { type EventName, EVENTS } from '../testing/machine-events.ts';
import { advance, restore } from './advance.ts';

/** A call that a rule allows and that gets its lease at once; one that is asked about, waits and runs. */
const LIVES: Readonly<Record<string, readonly EventName[]>> = {
  allowed: ['received', 'classified', 'allowed', 'grantedNow', 'start', 'dead', 'ran', 'audited'],
  asked: [
    ...(['received', 'classified', 'needed', 'asked', 'given', 'granted', 'entered', 'leased'] as const),
    ...(['start', 'dead', 'ran', 'audited'] as const),
  ],
};

test.each(Object.entries(LIVES))('a life (%s) costs at most 0.05 ms in its machine', (name, events) => {
  const first = restore(aCommandRecord());
  const times: number[] = [];
  for (let n = 0; n < 30_000; n++) {
    const startedAt = performance.now();
    events.reduce((snapshot, event) => advance(snapshot, EVENTS[event])?.snapshot ?? first, first);
    times.push(performance.now() - startedAt);
  }
  const warm = times.slice(3000).toSorted((a, b) => a - b);
  // Of a busy machine the fastest tenth says what the work costs; the rest says what else was running.
  const at = (share: number): number => (warm[Math.floor(warm.length * share)] ?? Number.NaN) * 1000;
  console.log(
    `machine, ${name}: ${events.length} steps, p10 ${at(0.1).toFixed(0)} us, p50 ${at(0.5).toFixed(0)} us`,
  );
  expect(at(0.1)).toBeLessThan(50);
});
