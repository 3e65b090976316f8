import { expect, test } from 'vitest';
import { aTrain } from '../workspace/testing/a-train.ts';
import { lookOf } from './outcome-look.ts';

test('a program that answered with another exit code than 0 has a shape of its own, and its word is the code', () => {
  const done = { state: 'done', outcome: 'completed' } as const;
  expect(lookOf(aTrain({ ...done, message: 'exit 1' }))).toEqual({
    icon: 'unequal',
    tone: 'wait',
    word: 'Exit 1',
  });
  expect(lookOf(aTrain(done))).toEqual({ icon: 'check', tone: '', word: 'Completed' });
});
