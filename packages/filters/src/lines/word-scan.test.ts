import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWordScan } from './word-scan.ts';

const WORDS = ['error', "can't", '401', '[redacted', 'raw '];

test('a line with one of the words, in any case and anywhere, is always found', () => {
  const scan = createWordScan(WORDS);
  const word = fc.constantFrom(...WORDS).chain((one) => fc.constantFrom(one, one.toUpperCase()));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), word, fc.string(), (before, found, after) => {
      expect(scan(before + found + after)).toBe(true);
    }),
  );
});

test('other lines are seldom found', () => {
  const scan = createWordScan(WORDS);
  for (const line of ['', 'er', 'all 12 tests passed', '→ ✓ ok', 'a rat']) expect(scan(line)).toBe(false);
});

test('a word that is too short to be searched is refused', () => {
  expect(() => createWordScan(['ok'])).toThrow('too short to be searched: ok');
});
