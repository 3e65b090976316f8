import { expect, test } from 'vitest';
import type { CommandView } from '@signalbox/api';
import { stepsOf } from './command-steps.ts';

test('the steps of a command include each state it reached, with the time in between', () => {
  const command = {
    submittedAt: 1000,
    approval: { status: 'granted', requestedAt: 1010, answeredAt: 61_010, by: { name: 'mira' } },
    queuedAt: 61_020,
    startedAt: 61_030,
    endedAt: 62_530,
    result: { outcome: { kind: 'timed_out' } },
  } as unknown as CommandView;
  expect(stepsOf(command).map(({ name, after, tone }) => [name, after, tone])).toEqual([
    ['Submitted', null, ''],
    ['Asked', '10 ms', ''],
    ['Approved by mira', '60 s', ''],
    ['Queued', '10 ms', ''],
    ['Started', '10 ms', 'run'],
    ['Timed out', '1.5 s', 'stop'],
  ]);
});
