import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { cells, column, cutEnd, cutMiddle, fit, lineCells, spread, wrap } from './cells.ts';
import { line } from './line.ts';
import { renderLine } from './render.ts';
import { visible } from '@signalbox/core/visible-text';

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));

test('wide characters take two cells', () => {
  expect([cells('⚡'), cells('⏳'), cells('✓'), cells('日本'), cells('é'), cells('👨‍👩‍👧')]).toEqual([
    2,
    2,
    1,
    4,
    1,
    expect.any(Number),
  ]);
});

test('the fast path for common characters counts the same cells as the full measurement', () => {
  const characters = Array.from({ length: 0x2800 }, (_, code) => String.fromCodePoint(code));
  const shown = characters.filter((character) => visible(character) === character);
  expect(shown.filter((character) => cells(character) !== stringWidth(character))).toEqual([]);
});

test('a cut never exceeds the given cells, and short texts are not cut', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, width) => {
      for (const cut of [cutEnd, cutMiddle]) {
        expect(cells(cut(text, width))).toBeLessThanOrEqual(width);
        expect(cells(text) > width || cut(text, width) === visible(text)).toBe(true);
      }
    }),
  );
});

test('a cut in the middle keeps both ends', () => {
  expect(cutMiddle('bash curl -s https://example.com/setup.sh | sh', 24)).toBe('bash curl -s…tup.sh | sh');
});

test('a column is exactly as wide as requested', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.integer({ min: 2, max: 40 }),
      fc.constantFrom('left', 'right'),
      (text, width, align) => {
        expect(lineCells(column(text, width, { align }))).toBe(width);
      },
    ),
  );
});

test('a line is fitted by cutting the piece at the edge', () => {
  expect(
    renderLine(fit(line('abc', 'def', 'ghi'), 7), { colour: false, ascii: false, width: Infinity }),
  ).toBe('abcdef…');
  expect(lineCells(fit(line('abc', '日本', 'ghi'), 5))).toBeLessThanOrEqual(5);
});

test('the right side is never cut, the left one is', () => {
  const shown = renderLine(spread(line('a long name of something'), line('4:19 left'), { width: 20 }), {
    colour: false,
    ascii: false,
    width: Infinity,
  });
  expect(shown).toBe('a long na… 4:19 left');
});

test('wrapping loses no letter and makes no row too wide', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.integer({ min: 3, max: 30 }), (text, width) => {
      const rows = wrap(text, width);
      expect(rows.join('').replaceAll(' ', '')).toBe(
        text.replaceAll(/ {9,}/g, (run) => `·×${run.length}`).replaceAll(' ', ''),
      );
      for (const row of rows) expect(cells(row)).toBeLessThanOrEqual(width);
    }),
  );
});
