import { expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['read the file', 3],
  ['src/cart.ts:12:7', 9],
  ['========================================', 4],
  ['    \n', 2],
  // A token each.
  ['日本語訳', 4],
])('estimateTokens(%j) is %i', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test('estimateTokens() takes one pass, whatever the text', () => {
  expect(estimateTokens('a'.repeat(1_000_000))).toBeGreaterThan(100_000);
  expect(estimateTokens('\n '.repeat(100_000))).toBe(100_000);
});
