import { aCommandRecord } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createActor } from 'xstate';
import { createLedCommands } from '../actors/led-commands.ts';
import { type EventName, EVENTS } from '../testing/machine-events.ts';
import { advance, restore } from './advance.ts';
import type { CommandRunner } from './command-runner.ts';

/** A call that a rule allows and that gets its lease at once; and one that is asked about, waits and runs. */
const PATHS: Readonly<Record<string, readonly EventName[]>> = {
  allowed: ['received', 'classified', 'allowed', 'grantedNow', 'start', 'dead', 'ran', 'audited'],
  asked: [
    ...(['received', 'classified', 'needed', 'asked', 'given', 'granted', 'entered', 'leased'] as const),
    ...(['start', 'dead', 'ran', 'audited'] as const),
  ],
};

/** On a busy machine the fastest tenth shows the cost of the work; the rest includes other load. */
function measured(name: string, work: (n: number) => void): number {
  const times: number[] = [];
  for (let n = 0; n < 30_000; n++) {
    const startedAt = performance.now();
    work(n);
    times.push(performance.now() - startedAt);
  }
  const warm = times.slice(3000).toSorted((a, b) => a - b);
  const at = (share: number): number => (warm[Math.floor(warm.length * share)] ?? Number.NaN) * 1000;
  console.log(`${name}: p10 ${at(0.1).toFixed(1)} us, p50 ${at(0.5).toFixed(1)} us`);
  return at(0.1);
}

test.each(Object.entries(PATHS))('a command (%s) costs at most 0.05 ms in its machine', (name, events) => {
  const first = restore(aCommandRecord());
  const p10 = measured(`machine, ${name}: ${events.length} steps`, () => {
    events.reduce((snapshot, event) => advance(snapshot, EVENTS[event])?.snapshot ?? first, first);
  });
  expect(p10).toBeLessThan(50);
});

test('its actor below the root costs at most 0.015 ms for a command of 12 steps', () => {
  const record = aCommandRecord();
  const snapshot = restore(record);
  const commands = createLedCommands({ note: () => undefined });
  const root = createActor(commands.logic);
  root.start();
  const p10 = measured('actor: 12 steps', () => {
    commands.lead(record, () => ({}) as CommandRunner);
    for (let step = 0; step < 12; step++)
      commands.stepped(record.id, { type: 'some.event', snapshot: { ...snapshot }, actions: [] });
    commands.remove(record.id);
  });
  expect(p10).toBeLessThan(15);
});
