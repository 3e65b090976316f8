import { expect, test } from 'vitest';
import { ContentHash } from './file-touch.ts';
import { createReadHashes } from './read-hashes.ts';

const hash = ContentHash.parse('0'.repeat(64));

test('a file that was never seen has no read hash, and a seen one has the last', () => {
  const readHashes = createReadHashes();
  expect(readHashes.get('a.ts')).toBeUndefined();
  readHashes.note('a.ts', { hash: null, text: null });
  expect(readHashes.get('a.ts')).toEqual({ hash: null, text: null });
  readHashes.note('a.ts', { hash, text: 'a' });
  expect(readHashes.get('a.ts')).toEqual({ hash, text: 'a' });
  expect(readHashes.get('b.ts')).toBeUndefined();
});

test('only the hash is kept of a text over one mebibyte', () => {
  const readHashes = createReadHashes();
  const mebibyte = 'a'.repeat(1024 * 1024);
  readHashes.note('whole.txt', { hash, text: mebibyte });
  readHashes.note('long.txt', { hash, text: `${mebibyte}a` });
  expect(readHashes.get('whole.txt')?.text).toBe(mebibyte);
  expect(readHashes.get('long.txt')).toEqual({ hash, text: null });
});

test('two sessions do not share their read hashes', () => {
  const one = createReadHashes();
  one.note('a.ts', { hash, text: 'a' });
  expect(createReadHashes().get('a.ts')).toBeUndefined();
});
