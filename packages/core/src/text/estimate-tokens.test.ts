import { expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
  // Three bytes each in UTF-8.
  ['日本語訳', 3],
])('estimateTokens(%j) is %i: one token for four bytes', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
