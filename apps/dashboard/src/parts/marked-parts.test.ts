import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markedParts } from './marked-parts.ts';

test('the searched text is marked wherever it occurs, ignoring case', () => {
  expect(markedParts('Fail: a.b fails', 'fail')).toEqual([
    { text: 'Fail', isMarked: true },
    { text: ': a.b ', isMarked: false },
    { text: 'fail', isMarked: true },
    { text: 's', isMarked: false },
  ]);
  expect(markedParts('axb a.b', 'a.b').map(({ isMarked }) => isMarked)).toEqual([false, true]);
});

test('no text is lost, whatever is searched for', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 4 }), (text, wanted) => {
      const parts = markedParts(text, wanted);
      expect(parts.map((part) => part.text).join('')).toBe(text);
    }),
  );
});
