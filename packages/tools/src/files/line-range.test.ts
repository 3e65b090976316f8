import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutLines, splitLines } from './line-range.ts';

const texts = fc
  .array(fc.tuple(fc.string({ maxLength: 12 }), fc.constantFrom('\n', '\r\n', '')), { maxLength: 12 })
  .map((lines) => lines.map(([line, ending]) => line + ending).join(''));

test('lines with their endings, joined, are the text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(splitLines(text).join('')).toBe(text);
    }),
  );
});

test('two adjacent ranges join to the whole text', () => {
  fc.assert(
    fc.property(texts, fc.nat(14), (text, line) => {
      const above = line === 0 ? '' : cutLines(text, { lastLine: line }).text;
      const below = cutLines(text, { firstLine: line + 1 }).text;
      expect(above + below).toBe(text);
    }),
  );
});

test('reading on from the last line reaches the end, whatever the length limit', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 40 }), (text, maxLength) => {
      let read = '';
      let firstLine = 1;
      for (;;) {
        const cut = cutLines(text, { firstLine }, { maxLength });
        expect(cut.text.length).toBeLessThanOrEqual(maxLength);
        if (cut.brokeLine) return;
        read += cut.text;
        if (cut.lastLine >= cut.totalLines) break;
        firstLine = cut.lastLine + 1;
      }
      expect(read).toBe(text);
    }),
  );
});

test('a line over the length limit is cut and marked, never inside a character', () => {
  expect(cutLines('abc😀def\nnext\n', {}, { maxLength: 4 })).toEqual({
    text: 'abc',
    firstLine: 1,
    lastLine: 1,
    totalLines: 2,
    brokeLine: true,
  });
});
