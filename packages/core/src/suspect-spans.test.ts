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

const SCRIPTS: readonly { script: string; letter: string; last?: string }[] = [
  { script: 'one Latin word', letter: 'x' },
  { script: 'one Cyrillic word', letter: '\u0430' },
  { script: 'Latin before Greek', letter: 'x', last: '\u03B1' },
  { script: 'Cyrillic before Latin', letter: '\u0430', last: 'x' },
  { script: 'Hangul', letter: '한' },
  { script: 'combining marks', letter: '\u0301' },
  { script: 'blanks in runs of eight', letter: '        .' },
  { script: 'invisible ones', letter: '\u200B' },
  { script: 'a letter and an invisible one in turns', letter: 'x\uFE0F' },
];

/**
 * The time for 16,384 letters over that for 1,024, taken in turns in one run: linear is 16, quadratic 256, and the
 * cubic search that once stood here did not come back. The least of several, since others use the machine too.
 */
test.each(SCRIPTS)(
  '16,384 letters take no more than their share: $script (U-B5)',
  ({ letter, last = '' }) => {
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
  },
);

function timeOf(work: () => unknown): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
}
