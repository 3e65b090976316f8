import { expect, test } from 'vitest';
import { wordSimilarities } from './word-similarity.ts';

const TEXTS = [
  'read file: Reads a text file of the workspace.',
  'git log: Shows commits of the repository, newest first.',
  'send message: Sends a message to a channel of the chat.',
];

test('wordSimilarities() gives 1 to the best text, and 0 to one that shares no word', () => {
  const [read = 0, log = 0, send = 0] = wordSimilarities('Send the commits to the chat', TEXTS) ?? [];
  expect([read, send]).toEqual([0, 1]);
  expect(log).toBeGreaterThan(0);
  expect(log).toBeLessThan(1);
});

test('wordSimilarities() joins the forms of a word, in any script', () => {
  expect(wordSimilarities('reading files', TEXTS)?.[0]).toBe(1);
  expect(wordSimilarities('ファイル', ['ファイル を 読む', 'b'])).toEqual([1, 0]);
});

test('wordSimilarities() is null when nothing can be ranked', () => {
  expect(wordSimilarities('the of and', TEXTS)).toBeNull();
  expect(wordSimilarities('', TEXTS)).toBeNull();
  expect(wordSimilarities('quantum chromodynamics', TEXTS)).toBeNull();
  expect(wordSimilarities('anything', [])).toBeNull();
});

test('a rare word counts more than a frequent one', () => {
  const texts = ['file one', 'file two', 'file three', 'invoice'];
  expect(wordSimilarities('file invoice', texts)?.indexOf(1)).toBe(3);
});
