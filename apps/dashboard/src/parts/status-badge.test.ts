import { expect, test } from 'vitest';
import { aSummary } from '../workspace/testing/a-summary.ts';
import { badgeOf } from './status-badge.ts';

test('a program with a non-zero exit code has its own shape, labelled with the code', () => {
  const done = { state: 'done', outcome: 'completed' } as const;
  expect(badgeOf(aSummary({ ...done, message: 'exit 1' }))).toEqual({
    icon: 'unequal',
    tone: 'wait',
    word: 'Exit 1',
  });
  expect(badgeOf(aSummary(done))).toEqual({ icon: 'check', tone: '', word: 'Completed' });
});
