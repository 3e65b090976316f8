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
