import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { suspectSpans } from './suspect-spans.ts';

test('hidden, active, reordering and look-alike characters are found, in order', () => {
  const text = `p\u0430y \u202E${' '.repeat(9)}\x1b`;
  expect([...suspectSpans(text)]).toEqual([
    { start: 1, end: 2, kind: 'look-alike' },
    { start: 4, end: 5, kind: 'invisible' },
    { start: 5, end: 14, kind: 'blanks' },
    { start: 14, end: 15, kind: 'invisible' },
  ]);
});

test('words of one script are not suspect, in any script', () => {
  expect([...suspectSpans('résumé 日本語 привет κόσμος עברית हिन्दी')]).toEqual([]);
});

test('an ignorable letter or mark inside a word is found', () => {
  expect([...suspectSpans('a\u115Fb\uFE0Fc')].map(({ start }) => start)).toEqual([1, 3]);
});

test('spans do not overlap, and each is reported', () => {
  const unit = fc.constantFrom(
    'a',
    '\u0430',
    '\u03B1',
    ' ',
    '         ',
    '\u200B',
    '\uFE0F',
    '\u{E0041}',
    '日',
    '\n',
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), (text) => {
      let rest = '';
      let end = 0;
      for (const span of suspectSpans(text)) {
        expect(span.start).toBeGreaterThanOrEqual(end);
        rest += text.slice(end, span.start);
        end = span.end;
      }
      expect(`${rest}${text.slice(end)}`).not.toMatch(
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u,
      );
    }),
  );
});
