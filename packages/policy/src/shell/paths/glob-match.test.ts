import { expect, test } from 'vitest';
import { globMatches } from './glob-match.ts';

test.each([
  ['*.ts', 'a.ts'],
  ['a?c', 'abc'],
  ['src/*/b', 'src/a/b'],
  ['[ab]c', 'xc'],
  ['+(a|b)c', 'abc'],
  ['[[:punct:]]c', '_c'],
  ['[![:alnum:]]c', '_c'],
  ['[[.period.][=x=]]c', '_c'],
  ['[]x]c', '_c'],
  ['[!]x]c', '_c'],
  ['[[:punct:]c', '_c'],
  ['.ss[h', '.ssh'],
  ['@(a', 'abc'],
  ['a*b*c', 'aXbYbZc'],
])('%s may match %s: it errs on the side of matching', (pattern, path) => {
  expect(globMatches(pattern, path)).toBe(true);
});

test.each([
  ['*', '.env'],
  ['*', 'a/b'],
  ['a/*', 'a'],
  ['*.ts', 'a.js'],
  ['a?', 'a'],
  ['?', 'ab'],
])('%s does not match %s', (pattern, path) => {
  expect(globMatches(pattern, path)).toBe(false);
});
