import { expect, test } from 'vitest';
import { aSummary } from '../workspace/testing/a-summary.ts';
import { badgeOf } from './status-badge.ts';

test('a program that answered with another exit code than 0 has a shape of its own, and its word is the code', () => {
  const done = { state: 'done', outcome: 'completed' } as const;
  expect(badgeOf(aSummary({ ...done, message: 'exit 1' }))).toEqual({
    icon: 'unequal',
    tone: 'wait',
    word: 'Exit 1',
  });
  expect(badgeOf(aSummary(done))).toEqual({ icon: 'check', tone: '', word: 'Completed' });
});
