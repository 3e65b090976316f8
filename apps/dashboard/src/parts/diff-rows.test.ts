import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffRows } from './diff-rows.ts';

test('a change shows removed and added lines with their context and line numbers', () => {
  expect(diffRows('a\nb\nc\n', 'a\nB\nc\n')).toEqual([
    { kind: 'same', line: 1, text: 'a' },
    { kind: 'removed', line: 2, text: 'b' },
    { kind: 'added', line: 2, text: 'B' },
    { kind: 'same', line: 3, text: 'c' },
  ]);
});

test('a new file is all added, and an equal one shows nothing', () => {
  expect(diffRows(null, 'x\ny\n').map(({ kind, text }) => [kind, text])).toEqual([
    ['added', 'x'],
    ['added', 'y'],
  ]);
  expect(diffRows('x\n', 'x\n')).toEqual([]);
});

test('context and added rows are lines of the new text, at their number', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 20 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = after.split('\n');
      const shown = diffRows(before, after).filter(({ kind }) => kind === 'added' || kind === 'same');
      expect(shown.map(({ line }) => lines[(line ?? 0) - 1])).toEqual(shown.map((row) => row.text));
    }),
  );
});
