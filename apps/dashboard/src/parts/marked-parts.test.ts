import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markedParts } from './marked-parts.ts';

test('what was looked for is marked wherever it stands, whatever the case', () => {
  expect(markedParts('Fail: a.b fails', 'fail')).toEqual([
    { text: 'Fail', isMarked: true },
    { text: ': a.b ', isMarked: false },
    { text: 'fail', isMarked: true },
    { text: 's', isMarked: false },
  ]);
  expect(markedParts('axb a.b', 'a.b').map(({ isMarked }) => isMarked)).toEqual([false, true]);
});

test('nothing of the text is lost, whatever is looked for', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 4 }), (text, wanted) => {
      const parts = markedParts(text, wanted);
      expect(parts.map((part) => part.text).join('')).toBe(text);
    }),
  );
});
