import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hidesSomething, visibleParts } from './visible-parts.ts';

test('what hides or reorders is written out where it stands', () => {
  expect(visibleParts('rm \u202Efdp.txt\u200B\u001B[1m')).toEqual([
    { text: 'rm ', hidden: false },
    { text: 'U+202E', hidden: true },
    { text: 'fdp.txt', hidden: false },
    { text: 'U+200B', hidden: true },
    { text: 'U+001B', hidden: true },
    { text: '[1m', hidden: false },
  ]);
});

test('plain text, letters of all scripts, tabs and newlines stay as they are', () => {
  for (const text of ['npm test', 'größer 日本', 'a\tb\nc', '']) {
    expect(visibleParts(text)).toEqual([{ text, hidden: false }]);
    expect(hidesSomething(text)).toBe(false);
  }
});

test('no part that is shown as it is holds a control or a bidirectional mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = visibleParts(text).filter(({ hidden }) => !hidden);
      expect(plain.some((part) => /[\p{Cc}\p{Cf}]/u.test(part.text.replaceAll(/[\n\t]/g, '')))).toBe(false);
    }),
  );
});
