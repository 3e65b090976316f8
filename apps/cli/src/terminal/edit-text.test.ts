import { expect, test } from 'vitest';
import { editedText, editText, textOf } from './edit-text.ts';
import { parseKeys } from './keyboard.ts';

function typed(start: string, keys: string): string {
  const end = parseKeys(keys).reduce(editText, editedText(start));
  return `${end.characters.slice(0, end.cursor).join('')}|${end.characters.slice(end.cursor).join('')}`;
}

test('typing, moving and deleting work on user-perceived characters', () => {
  expect(typed('rm -rf', ' x')).toBe('rm -rf x|');
  expect(typed('abc', '\x1b[D\x1b[DX')).toBe('aX|bc');
  expect(typed('naïve 👨‍👩‍👧', '\x7f\x7f')).toBe('naïve|');
  expect(typed('rm -rf dist coverage', '\x17')).toBe('rm -rf dist |');
  expect(typed('rm -rf', '\x1b[D\x15')).toBe('|f');
  expect(typed('ab', '\x01\x1b[3~')).toBe('|b');
});

test('a pasted text goes in whole, at the cursor, with its line breaks', () => {
  const before = editText(editedText('ac'), { kind: 'named', name: 'left' });
  const after = editText(before, { kind: 'text', text: 'naïve 👨‍👩‍👧\nb' });
  expect(textOf(after)).toBe('anaïve 👨‍👩‍👧\nbc');
  expect(after.cursor).toBe(10);
});

test('a key that edits nothing changes nothing', () => {
  expect(typed('ab', '\t\x1b[A')).toBe('ab|');
  expect(textOf(editedText('a\tb'))).toBe('a\tb');
});
