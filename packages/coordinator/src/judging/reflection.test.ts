import type { ErrorCategory } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createHarness, FREE } from '../testing/coordinator-harness.ts';
import { createReflection } from './reflection.ts';
import { aCommandRecord, aSessionId, ended } from '@signalbox/core/testing';

const note = (category: ErrorCategory, times: number): (string | undefined)[] => {
  const { note: noteOf } = createReflection();
  const { result } = ended(aCommandRecord(), { outcome: 'failed' });
  if (result === null || result.outcome.kind !== 'failed') throw new Error('not failed');
  const failure = { ...result.outcome.failure, category };
  const badly = { ...result, outcome: { kind: 'failed' as const, failure } };
  return Array.from({ length: times }, () => noteOf({ sessionId: aSessionId() }, badly));
};

test.each<ErrorCategory>(['InvalidParameters', 'TypeMismatch'])(
  'from the second call that was badly written in the same way a line says so: %s (S001-96)',
  (category) => {
    expect(note(category, 3)).toEqual([
      undefined,
      expect.stringMatching(/^This is call 2 of /),
      expect.stringMatching(/^This is call 3 of /),
    ]);
  },
);

test.each<ErrorCategory>([
  'ToolNotFound',
  'PolicyBlocked',
  'ConfirmationRequired',
  'PermanentFailure',
  'Cancelled',
  'RateLimited',
  'ServerError',
  'NetworkError',
  'Timeout',
])('no other failure is the model’s mistake: %s (S001-96)', (category) => {
  expect(note(category, 3)).toEqual([undefined, undefined, undefined]);
});

test('the line is in the second result; another session starts from zero', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const isNoted = async (context = {}): Promise<boolean> => {
    const { result } = harness.submit(coordinator, 'echo', { txt: 1 }, context);
    await harness.settle();
    return (await result).content.includes('This is call 2 of echo');
  };
  expect(await isNoted()).toBe(false);
  expect(await isNoted()).toBe(true);
  expect(await isNoted({ sessionId: aSessionId('other') })).toBe(false);
});
