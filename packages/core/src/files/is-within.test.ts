import { expect, test } from 'vitest';
import { isWithin } from './is-within.ts';

test.each([
  ['src', 'src', true],
  ['src/a.ts', 'src', true],
  ['src', 'src/a.ts', false],
  ['src-old/a.ts', 'src', false],
  ['src/a.ts', '.', true],
  ['/work/a', '/', true],
  ['/tmp/a', '/tmp/', true],
  ['/tmp-old/a', '/tmp/', false],
])('whether %j is within %j: %s', (path, folder, is) => {
  expect(isWithin(path, folder)).toBe(is);
});
