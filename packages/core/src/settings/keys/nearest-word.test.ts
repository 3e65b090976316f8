import { expect, test } from 'vitest';
import { nearestWord } from './nearest-word.ts';

const known = ['status', 'stats', 'commands', 'cancel', 'config'];

test('a swapped, missing, extra or wrong letter is forgiven', () => {
  expect(nearestWord('statsu', known)).toBe('status');
  expect(nearestWord('comands', known)).toBe('commands');
  expect(nearestWord('cancell', known)).toBe('cancel');
  expect(nearestWord('CONFIG', known)).toBe('config');
});

test('swapped neighbours in a short word are one mistake, like a wrong letter', () => {
  expect(nearestWord('gti', ['sh', 'git', 'gzip'])).toBe('git');
  expect(nearestWord('sl', ['ls', 'cat'])).toBe('ls');
  expect(nearestWord('gti', ['tig'])).toBeUndefined();
});

test('a word that is near to none means none', () => {
  expect(nearestWord('frobnicate', known)).toBeUndefined();
  expect(nearestWord('', known)).toBeUndefined();
});

test('a very long word is not compared', () => {
  expect(nearestWord('x'.repeat(100_000), ['x'.repeat(100_000)])).toBeUndefined();
});
