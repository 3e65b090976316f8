import { expect, test } from 'vitest';
import { questionRows } from './create-context.ts';

test('a long prompt breaks between words, and the answer is typed after the last one', () => {
  expect(questionRows('Undo a1b2, c3d4, e5f6? [y/N] ', 20)).toBe('Undo a1b2, c3d4,\ne5f6? [y/N] ');
  expect(questionRows('Undo a1b2? [y/N] ', Infinity)).toBe('Undo a1b2? [y/N] ');
});
