import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeTexts } from './merge-texts.ts';

const BASE = 'a\nb\nc\nd\ne\nf\n';

test.for<[string, string, string, string | null]>([
  ['changes of other lines', 'A\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nE\nf\n', 'A\nb\nc\nd\nE\nf\n'],
  ['lines added at both ends', `x\n${BASE}`, `${BASE}y\n`, `x\n${BASE}y\n`],
  ['lines removed and added', 'a\nc\nd\ne\nf\n', 'a\nb\nc\nd\ne\nnew\nf\n', 'a\nc\nd\ne\nnew\nf\n'],
  ['a last line that loses its line feed', 'A\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\ne\nf', 'A\nb\nc\nd\ne\nf'],
  ['no change of ours', BASE, 'a\nB\nc\nd\ne\nf\n', 'a\nB\nc\nd\ne\nf\n'],
  ['the same line', 'a\nb\nX\nd\ne\nf\n', 'a\nb\nY\nd\ne\nf\n', null],
  ['the same change', 'a\nb\n1\nd\ne\nf\n', 'a\nb\n1\nd\ne\nf\n', null],
  ['adjacent lines', 'a\nB\nc\nd\ne\nf\n', 'a\nb\nC\nd\ne\nf\n', null],
  ['lines added at the same place', 'a\nx\nb\nc\nd\ne\nf\n', 'a\ny\nb\nc\nd\ne\nf\n', null],
])('two changes of one text: %s', ([, ours, theirs, merged]) => {
  expect(mergeTexts(BASE, { ours, theirs })).toBe(merged);
  expect(mergeTexts(BASE, { ours: theirs, theirs: ours })).toBe(merged);
});

/** Few different lines, so that diffs are ambiguous; also ones without a line feed, with another, and empty. */
const someText = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n', 'd'), { maxLength: 12 })
  .map((lines) => lines.join(''));

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
const timesIn = (text: string, line: string): number => linesOf(text).filter((one) => one === line).length;

test('whatever is merged, each line is there as often as both changes say, and the order of the two is no matter', () => {
  fc.assert(
    fc.property(someText, someText, someText, (base, ours, theirs) => {
      expect(mergeTexts(base, { ours, theirs: base })).toBe(ours);
      const merged = mergeTexts(base, { ours, theirs });
      expect(mergeTexts(base, { ours: theirs, theirs: ours })).toBe(merged);
      if (merged === null) return;
      for (const line of new Set([base, ours, theirs, merged].flatMap(linesOf)))
        expect([line, timesIn(merged, line)]).toEqual([
          line,
          timesIn(ours, line) + timesIn(theirs, line) - timesIn(base, line),
        ]);
    }),
    { numRuns: 1000 },
  );
});
