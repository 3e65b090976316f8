import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hidesSomething, visibleParts, visibleText } from './visible-parts.ts';

test('what hides or reorders is written out where it stands', () => {
  const text = 'rm \u202Efdp.txt\u200B\u001B[1m';
  expect(visibleParts(text)).toEqual([
    { text: 'rm ', hidden: false },
    { text: 'U+202E', hidden: true },
    { text: 'fdp.txt', hidden: false },
    { text: 'U+200B', hidden: true },
    { text: 'U+001B', hidden: true },
    { text: '[1m', hidden: false },
  ]);
  expect(visibleText(text)).toBe('rm ⟨U+202E⟩fdp.txt⟨U+200B⟩⟨U+001B⟩[1m');
});

test('a letter that looks like a Latin one inside a Latin word is written out, as on the terminal', () => {
  expect(visibleText('cat p\u0430ssword')).toBe('cat p⟨U+0430⟩ssword');
  expect(hidesSomething('p\u0430ssword')).toBe(true);
});

test('plain text, letters of all scripts, tabs and newlines stay as they are', () => {
  for (const text of ['npm test', 'größer 日本 привет', `a\tb\nc${' '.repeat(20)}d`, '']) {
    expect(visibleParts(text)).toEqual([{ text, hidden: false }]);
    expect(visibleText(text)).toBe(text);
    expect(hidesSomething(text)).toBe(false);
  }
});

test('a character again and again is one box with a number, and thousands of boxes are not drawn', () => {
  expect(visibleParts(`a${'\0'.repeat(131_072)}b`)).toEqual([
    { text: 'a', hidden: false },
    { text: 'U+0000 × 131072', hidden: true },
    { text: 'b', hidden: false },
  ]);
  const parts = visibleParts('a\u200B'.repeat(60_000));
  expect(parts).toHaveLength(1001);
  expect(parts.at(-1)?.text.slice(0, 18)).toBe('a⟨U+200B⟩a⟨U+200B⟩');
});

test('nothing that is shown as it is holds a control or a bidirectional mark', () => {
  const unit = fc.oneof(
    fc.constantFrom('\u202E', '\u200B', '\0', '\u00AD', '\u{E0041}', '\n'),
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
    fc
      .nat(0x10ffff)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code)),
  );
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const plain = visibleParts(text).filter(({ hidden }) => !hidden);
      for (const shown of [visibleText(text), ...plain.map((part) => part.text)])
        expect(/[\p{Cc}\p{Cf}]/u.test(shown.replaceAll(/[\n\t]/g, ''))).toBe(false);
    }),
  );
});
