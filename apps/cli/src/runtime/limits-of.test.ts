import { availableParallelism } from 'node:os';
import { parseSettings, type SchedulerLimits } from '@signalbox/core';
import { expect, test } from 'vitest';
import { limitsOf } from './limits-of.ts';

function limitsOfWritten(execution: object): SchedulerLimits {
  const parsed = parseSettings({ execution });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return limitsOf(parsed.settings);
}

test('the scheduler’s limits are those of the settings, and a lease lives 30 s', () => {
  const execution = { max_concurrent_executions: 1, max_queue_size: 7, max_wait: '2m' };
  expect(limitsOfWritten(execution)).toEqual({
    maxConcurrent: 1,
    maxQueuePerProvider: 7,
    maxWaitMs: 120_000,
    leaseTtlMs: 30_000,
  });
});

test('by default as many commands run at once as there are processors, at least 3 (S003-60)', () => {
  expect(limitsOfWritten({}).maxConcurrent).toBe(Math.max(3, availableParallelism()));
});
