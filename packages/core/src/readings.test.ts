import { expect, test } from 'vitest';
import { ContentHash } from './file-touch.ts';
import { createReadings } from './readings.ts';

const hash = ContentHash.parse('0'.repeat(64));

test('a file that was never seen has no reading, and one that was has the last', () => {
  const readings = createReadings();
  expect(readings.get('a.ts')).toBeUndefined();
  readings.note('a.ts', { hash: null, text: null });
  expect(readings.get('a.ts')).toEqual({ hash: null, text: null });
  readings.note('a.ts', { hash, text: 'a' });
  expect(readings.get('a.ts')).toEqual({ hash, text: 'a' });
  expect(readings.get('b.ts')).toBeUndefined();
});

test('of a text over one mebibyte only the hash is kept', () => {
  const readings = createReadings();
  const mebibyte = 'a'.repeat(1024 * 1024);
  readings.note('whole.txt', { hash, text: mebibyte });
  readings.note('long.txt', { hash, text: `${mebibyte}a` });
  expect(readings.get('whole.txt')?.text).toBe(mebibyte);
  expect(readings.get('long.txt')).toEqual({ hash, text: null });
});

test('two sessions do not share what they read', () => {
  const one = createReadings();
  one.note('a.ts', { hash, text: 'a' });
  expect(createReadings().get('a.ts')).toBeUndefined();
});
