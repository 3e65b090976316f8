import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hidesSomething, visible } from './visible.ts';

test('plain text is shown as it is', () => {
  for (const text of ['npm test && ls -la', 'résumé — 日本語 ✓ ⚡', 'привет κόσμος', '   indented']) {
    expect(visible(text)).toBe(text);
    expect(hidesSomething(text)).toBe(false);
  }
});

test('what a terminal would obey, hide or reorder is written out', () => {
  expect(visible('a\x1b[2Jb')).toBe('a\\x1b[2Jb');
  expect(visible('one\ntwo\r\x07\x7f\x9b')).toBe('one\\ntwo\\r\\x07\\x7f\\x9b');
  expect(visible('file\u202Etxt.exe')).toBe('file<U+202E>txt.exe');
  expect(visible('a\u200Bb\uFEFFc\u2028d')).toBe('a<U+200B>b<U+FEFF>c<U+2028>d');
  expect(visible('a\u00A0b\u3000c')).toBe('a<U+00A0>b<U+3000>c');
  expect(visible('half \uD800 pair')).toBe('half <U+D800> pair');
});

test('a run of more than eight blanks is counted', () => {
  expect(visible(`ls${' '.repeat(180)}; rm -rf .`)).toBe('ls·×180; rm -rf .');
  expect(visible(`ls${' '.repeat(8)}x`)).toBe(`ls${' '.repeat(8)}x`);
});

test('a letter that looks like a Latin one inside a Latin word is named', () => {
  expect(visible('cat p\u0430ssword')).toBe('cat p<U+0430>ssword');
  expect(visible('\u0441url x')).toBe('<U+0441>url x');
});

test('no character of any text escapes: the result has only visible ones and the space', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom(
          '\x1b[31m',
          'rm',
          ' ',
          '\u202E',
          '\u0430',
          'a',
          '\n',
          '\uFE0F',
          '\u{E0041}',
          '         ',
        ),
      )
      .map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(visible(value)).not.toMatch(
        /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}| {9,}/u,
      );
    }),
    { numRuns: 2000 },
  );
});
