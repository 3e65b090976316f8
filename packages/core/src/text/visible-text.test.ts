import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { suspectSpans } from './suspect-spans.ts';
import { hidesSomething, type TextLayout, visible, visibleParts, withoutHidden } from './visible-text.ts';

test('the signs of our own rows, which skip the full check, have nothing to hide', () => {
  const signs = Array.from('·–—‘’“”…←↑→↓─│✓✗');
  expect(signs.flatMap((sign) => [...suspectSpans(`a${sign}b ${sign}`)])).toEqual([]);
});

test('plain text is unchanged', () => {
  for (const text of ['npm test && ls -la', 'résumé — 日本語 ✓ ⚡', 'привет κόσμος', '   indented']) {
    expect(visible(text)).toBe(text);
    expect(hidesSomething(text)).toBe(false);
  }
});

test('characters that a terminal would obey, hide or reorder are escaped', () => {
  expect(visible('a\x1b[2Jb')).toBe('a\\x1b[2Jb');
  expect(visible('one\ntwo\r\x07\x7f\x9b')).toBe('one\\ntwo\\r\\x07\\x7f\\x9b');
  expect(visible('file\u202Etxt.exe')).toBe('file<U+202E>txt.exe');
  expect(visible('a\u200Bb\uFEFFc\u2028d')).toBe('a<U+200B>b<U+FEFF>c<U+2028>d');
  expect(visible('a\u00A0b\u3000c')).toBe('a<U+00A0>b<U+3000>c');
  expect(visible('half \uD800 pair')).toBe('half <U+D800> pair');
});

test('characters that a page or terminal draws as nothing, or as another letter, are named (R-C2, T-B2)', () => {
  for (const code of [
    0x61c, 0xad, 0x34f, 0x180e, 0x2028, 0x2800, 0x3164, 0xfe0f, 0xe0100, 0xe0041, 0x1d159,
  ]) {
    const name = `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    expect(visible(`a${String.fromCodePoint(code)}b`)).toBe(`a${name}b`);
    expect(withoutHidden(`a${String.fromCodePoint(code)}b`)).toBe('ab');
  }
  expect(visible('\uFF52m x\u{1D41A} \u0561b')).toBe('<U+FF52>m x<U+1D41A> <U+0561>b');
});

test('repeated characters are counted, and the boxes of one text are bounded', () => {
  expect(visibleParts(`a${'\0'.repeat(131_072)}b`)).toEqual([
    { text: 'a', hidden: false },
    { text: '\\x00×131072', hidden: true },
    { text: 'b', hidden: false },
  ]);
  const parts = visibleParts('a\u200B'.repeat(60_000));
  expect(parts.length).toBeLessThanOrEqual(1002);
  expect(parts.at(-1)?.text.slice(-18)).toBe('a<U+200B>a<U+200B>');
});

test('lines keep newlines, tabs and indentation; blanks that push text off a screen are counted', () => {
  const text = `if x:\n${' '.repeat(12)}a\tb${' '.repeat(20)}c\n${'\n'.repeat(58)}rm -rf src\n`;
  expect(visible(text, 'lines')).toBe(`if x:\n${' '.repeat(12)}a\tb·×20c\n⋯ 58 blank lines\nrm -rf src\n`);
  expect(visible(' '.repeat(65), 'lines')).toBe('·×65');
  expect(visible('a\n\n\n\nb', 'lines')).toBe('a\n\n\n\nb');
  expect(hidesSomething(text)).toBe(true);
  expect(visible(text, 'output')).toBe(text);
});

test('text for a model loses hidden characters, and keeps blanks, emoji and joined letters', () => {
  expect(withoutHidden('a\u00A0b\tc\n日本\u3000語')).toBe('a b\tc\n日本 語');
  for (const text of ['👩‍💻 ❤️ 👍🏽', 'می\u200Cخواهم', 'क्\u200Dष']) expect(withoutHidden(text)).toBe(text);
  expect(withoutHidden('x\u200Dy\uFE0Fz👍\u200Dz')).toBe('xyz👍z');
});

test('a run of more than eight blanks is counted', () => {
  expect(visible(`ls${' '.repeat(180)}; rm -rf .`)).toBe('ls·×180; rm -rf .');
  expect(visible(`ls${' '.repeat(8)}x`)).toBe(`ls${' '.repeat(8)}x`);
});

test('a letter that looks like a Latin one inside a Latin word is named', () => {
  expect(visible('cat p\u0430ssword')).toBe('cat p<U+0430>ssword');
  expect(visible('\u0441url x')).toBe('<U+0441>url x');
});

const ANY_TEXT = fc.oneof(
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
        '\t',
        '\uFE0F',
        '\u{E0041}',
        '         ',
      ),
    )
    .map((pieces) => pieces.join('')),
);

test('the result has only visible characters and the space, for any text', () => {
  fc.assert(
    fc.property(ANY_TEXT, (value) => {
      expect(visible(value)).not.toMatch(
        /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}| {9,}/u,
      );
    }),
    { numRuns: 2000 },
  );
});

test('lines and outputs keep newlines and tabs, and no plain text is lost', () => {
  fc.assert(
    fc.property(ANY_TEXT, fc.constantFrom<TextLayout>('lines', 'output'), (value, layout) => {
      const shown = visible(value, layout);
      expect(shown.replaceAll(/[\n\t]/g, '')).not.toMatch(
        /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u,
      );
      const letters = (text: string): string => text.replaceAll(/[^m]/g, '');
      expect(letters(shown)).toBe(letters(value));
    }),
    { numRuns: 1000 },
  );
});

const HOSTILE = [
  'x',
  '\u0430',
  'x\u0430',
  '한',
  'ع\u200C',
  '\u0301',
  '         .',
  '\u200B',
  'x\uFE0F',
  '\n',
  '\n\t',
  '👩\u200D',
  '\uD800',
];

/** Like that of the spans: 16 short texts take about as long as one long one if it is linear, a 16th if it is not. */
test.each(HOSTILE)('16,384 letters of %j take time in proportion (T-B2)', (letter) => {
  const [short, long] = [1024, 16_384].map((size) => `${letter.repeat(size / letter.length)}\u2026`);
  const all = (text: string): void => {
    for (const layout of ['row', 'lines', 'output'] as const) visible(text, layout);
    withoutHidden(text);
  };
  let [least, max] = [Infinity, Infinity];
  // Other load on the machine only adds time: the minimum of many turns is the cost of the work itself.
  for (let turn = 0; turn < 100 && (turn < 4 || max / least >= 8); turn += 1) {
    least = Math.min(
      least,
      timeOf(() => Array.from({ length: 16 }, () => all(short ?? ''))),
    );
    max = Math.min(
      max,
      timeOf(() => all(long ?? '')),
    );
  }
  expect(max / least).toBeLessThan(8);
});

function timeOf(work: () => unknown): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
}
