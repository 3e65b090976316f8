import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const known = ['status', 'stats', 'commands', 'cancel', 'config'];

test('a swapped, missing, extra or wrong letter is forgiven', () => {
  expect(nearest('statsu', known)).toBe('status');
  expect(nearest('comands', known)).toBe('commands');
  expect(nearest('cancell', known)).toBe('cancel');
  expect(nearest('CONFIG', known)).toBe('config');
});

test('a word that is near to none means none', () => {
  expect(nearest('frobnicate', known)).toBeUndefined();
  expect(nearest('', known)).toBeUndefined();
});
