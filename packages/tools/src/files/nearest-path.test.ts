import { createMemoryFiles } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { listDirectory } from './list-directory.tool.ts';
import { readFile } from './read-file.tool.ts';
import { aToolContext, call, failureOf } from '../testing/tool-context.ts';

const FILES = [
  'src/app/cart.ts',
  'src/app/tax/rates.ts',
  'src/other/deep/cart.ts',
  'web/index.ts',
  'api/index.ts',
  'src/index.ts',
  'docs/index.ts',
  'node_modules/pkg/hidden.ts',
  '.config/secret.ts',
  'README.md',
];

function meant(path: string, tool: typeof readFile | typeof listDirectory = readFile) {
  const context = aToolContext({
    files: createMemoryFiles({ files: Object.fromEntries(FILES.map((file) => [file, ''])) }),
  });
  return failureOf(call(tool as typeof readFile, { path }, context)).then(({ suggestion }) => suggestion);
}

test.each([
  ['src/cart.ts', 'src/app/cart.ts'],
  ['app/cart.ts', 'src/app/cart.ts'],
  ['src/Cart.ts', 'src/app/cart.ts'],
  ['src/rates.ts', 'src/app/tax/rates.ts'],
  ['lib/rates.ts', 'src/app/tax/rates.ts'],
  ['rates.ts', 'src/app/tax/rates.ts'],
  ['cart.ts', 'src/app/cart.ts'],
  ['app/ratse.ts', 'src/app/tax/rates.ts'],
  ['lib/cart.ts', 'src/app/cart.ts or src/other/deep/cart.ts'],
  ['docs/README.md', 'README.md'],
])('%s means %s', async (path, expected) => {
  expect(await meant(path)).toBe(`Did you mean ${expected}?`);
});

test('a missing folder suggests one elsewhere, and never a file', async () => {
  expect(await meant('app', listDirectory)).toBe('Did you mean src/app?');
  expect((await meant('cart.ts', listDirectory)) ?? '').not.toContain('Did you mean');
});

test.each(['lib/index.ts', 'pkg/hidden.ts', 'src/secret.ts', 'config/secret.ts', 'nothing/like/it.rs'])(
  '%s has no suggestion: too many matches, or only hidden ones or packages',
  async (path) => {
    expect((await meant(path)) ?? '').not.toContain('Did you mean');
  },
);

test('a bounded number of names of a large tree is read', async () => {
  const files = createMemoryFiles({ files: { 'a.txt': '' } });
  let listed = 0;
  const endless: typeof files = {
    ...files,
    async list(path, options) {
      listed += 1;
      const names = Array.from({ length: Math.min(20, options?.limit ?? 20) }, (_, n) => `d${n}`);
      const kind = 'directory' as const;
      const at = (name: string) => (path === '.' ? name : `${path}/${name}`);
      const entries = names.map((name) => ({ path: at(name), kind, bytes: 0, changedAt: 0 }));
      return { entries, truncated: false, hidden: 0 };
    },
  };
  await failureOf(call(readFile, { path: 'x/y/zebra.txt' }, aToolContext({ files: endless })));
  expect(listed).toBeLessThanOrEqual(401);
});
