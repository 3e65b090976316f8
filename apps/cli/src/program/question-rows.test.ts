import { expect, test } from 'vitest';
import { questionRows } from './question-rows.ts';

test('a long question is broken between words, and its answer is typed behind the last', () => {
  expect(questionRows('Undo a1b2, c3d4, e5f6? [y/N] ', 20)).toBe('Undo a1b2, c3d4,\ne5f6? [y/N] ');
  expect(questionRows('Undo a1b2? [y/N] ', Infinity)).toBe('Undo a1b2? [y/N] ');
});
