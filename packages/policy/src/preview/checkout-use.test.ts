import { expect, test } from 'vitest';
import { checkoutUseOf } from './checkout-use.ts';

test.each([
  ['checkout topic', { verb: 'checkout', cwd: '.', ref: 'topic' }],
  ['-C sub checkout -q topic', { verb: 'checkout', cwd: 'sub', ref: 'topic' }],
  ['switch --discard-changes topic', { verb: 'switch', cwd: '.', ref: 'topic' }],
  ['checkout -', { verb: 'checkout', cwd: '.', ref: '-' }],
])('git %s checks out one thing', (line, use) => {
  expect(checkoutUseOf(line.split(' '), '.')).toEqual(use);
});

test.each([
  'checkout',
  'checkout -b topic',
  'checkout -B topic main',
  'checkout main a.txt',
  'checkout main -- a.txt',
  'checkout -- a.txt',
  'checkout -t origin/topic',
  'checkout --orphan topic',
  'checkout --pathspec-from-file=x',
  'checkout --discard-changes main',
  'checkout -p main',
  'switch -c topic',
  'switch --det main',
  '-c core.worktree=x checkout main',
  '-C a/.. checkout main',
  'push up main',
  '',
])('git %s is not recognised', (line) => {
  expect(checkoutUseOf(line.split(' '), '.')).toBe(null);
});
