import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { largeFolders, maxFilesPerFolder } from '../architecture.ts';
import { findLargeFolders } from './large-folders.ts';

test('no folder holds more than 25 source files without a reason in architecture.ts', () => {
  const paths = ['packages', 'apps']
    .flatMap((floor) => readdirSync(floor).map((name) => `${floor}/${name}/src`))
    .flatMap((src) =>
      readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) => `${src}/${path}`),
    );
  expect(paths).toContain('packages/redis/src/lua/format.lua');
  const large = findLargeFolders(paths);
  const reasons = Object.keys(largeFolders);
  expect([...large].filter(([folder]) => !reasons.includes(folder))).toEqual([]);
  expect(reasons.filter((folder) => !large.has(folder))).toEqual([]);
});

test('a folder is large by its own source files, not by its tests or the folders in it', () => {
  const full = Array.from({ length: maxFilesPerFolder }, (_, n) => `packages/core/src/a${n}.ts`);
  const others = ['packages/core/src/a.test.ts', 'packages/core/src/b.bench.ts', 'packages/core/src/in/c.ts'];
  expect(findLargeFolders([...full, ...others]).size).toBe(0);
  expect([...findLargeFolders([...full, 'packages/core/src/d.lua'])]).toEqual([['packages/core/src', 26]]);
});
