import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { suspectSpans } from './suspect-spans.ts';

test('what hides, obeys, reorders or looks like something else is found, in order', () => {
  const text = `p\u0430y \u202E${' '.repeat(9)}\x1b`;
  expect([...suspectSpans(text)]).toEqual([
    { start: 1, end: 2, kind: 'look-alike' },
    { start: 4, end: 5, kind: 'invisible' },
    { start: 5, end: 14, kind: 'blanks' },
    { start: 14, end: 15, kind: 'invisible' },
  ]);
});

test('words of one script are no suspects, whatever the script', () => {
  expect([...suspectSpans('résumé 日本語 привет κόσμος עברית हिन्दी')]).toEqual([]);
});

test('an ignorable letter or mark inside a word is found', () => {
  expect([...suspectSpans('a\u115Fb\uFE0Fc')].map(({ start }) => start)).toEqual([1, 3]);
});

test('spans do not overlap and none is left out', () => {
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

const SCRIPTS = [
  ['one Latin word', 'x'],
  ['one Cyrillic word', '\u0430'],
  ['Latin before Greek', 'x', '\u03B1'],
  ['Cyrillic before Latin', '\u0430', 'x'],
  ['Hangul', '한'],
  ['combining marks', '\u0301'],
  ['blanks in runs of eight', '        .'],
  ['invisible ones', '\u200B'],
  ['a letter and an invisible one in turns', 'x\uFE0F'],
] as const;

/**
 * The time for 16,384 letters over that for 1,024, taken in turns in one run: linear is 16, quadratic 256, and the
 * cubic search that once stood here did not come back. The least of several, since others use the machine too.
 */
test.each(SCRIPTS)('16,384 letters take no more than their share: %s (U-B5)', (_, letter, last = '') => {
  const [short, long] = [1024, 16_384].map((size) => `${letter.repeat(size / letter.length)}${last}\u2026`);
  let [least, most] = [Infinity, Infinity];
  for (let turn = 0; turn < 12; turn += 1) {
    least = Math.min(
      least,
      timeOf(() => Array.from({ length: 16 }, () => [...suspectSpans(short ?? '')].length)),
    );
    most = Math.min(
      most,
      timeOf(() => [...suspectSpans(long ?? '')].length),
    );
  }
  // 16 short ones against a long one of the same letters: about 1 where it is linear, 16 where it is quadratic.
  expect(most / least).toBeLessThan(8);
});

function timeOf(work: () => unknown): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
}
