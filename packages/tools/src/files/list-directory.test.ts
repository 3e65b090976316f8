import { createMemoryFiles } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { listDirectory } from './list-directory.tool.ts';
import { aToolContext, call, failureOf, outputOf } from '../testing/tool-context.ts';

const context = aToolContext({
  files: createMemoryFiles({
    files: { 'a.txt': 'four', 'src/b.ts': '', 'src/in/c.ts': 'x', '.env': 'KEY=1' },
    symlinks: { link: 'a' },
    isDenied: (path) => path === '.env',
  }),
});

test('the entries of the workspace are listed one per line, denied names counted but not shown (S000-93)', async () => {
  expect(await outputOf(listDirectory, {}, context)).toBe(
    [
      'a.txt  4',
      'link@',
      'src/',
      '[1 entry not shown: reading it is denied (secrets, .signalbox, or a list such as tools.file.deny_read). Your user can look at it in a terminal, or change the list]',
    ].join('\n'),
  );
});

test('a depth also lists deeper entries', async () => {
  expect(await outputOf(listDirectory, { path: 'src', depth: 2 }, context)).toBe(
    ['src/b.ts  0', 'src/in/', 'src/in/c.ts  1'].join('\n'),
  );
});

test('a list that is cut is marked', async () => {
  expect(await outputOf(listDirectory, { path: 'src', depth: 2, limit: 1 }, context)).toBe(
    'src/b.ts  0\n[more than 1 entries; list a directory below, or raise the limit]',
  );
});

test('a missing directory is a failure', async () => {
  expect((await failureOf(call(listDirectory, { path: 'lib' }, context))).code).toBe('not-found');
});
