import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultIsDenied } from './default-denials.ts';
import { createDeniedPaths } from './denied-paths.ts';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'signalbox-'));
  mkdirSync(join(workspace, 'app/node_modules/x'), { recursive: true });
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const write = (path: string): void => writeFileSync(join(workspace, path), 'x');

test('secrets are found at any depth, examples and packages left alone', () => {
  for (const path of ['.env', 'app/.env.production', 'app/.env.example', 'app/node_modules/x/.env'])
    write(path);
  mkdirSync(join(workspace, 'app/secrets'));
  expect(
    createDeniedPaths(workspace, defaultIsDenied)().toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  ).toEqual([
    { path: '.env', kind: 'file' },
    { path: 'app/.env.production', kind: 'file' },
    { path: 'app/secrets', kind: 'directory' },
  ]);
});

test('a secret that comes or goes is noticed by the next look', () => {
  const look = createDeniedPaths(workspace, defaultIsDenied);
  // Long settled, so that the first look remembers the folder.
  utimesSync(join(workspace, 'app'), 1, 1);
  expect(look()).toEqual([]);
  write('app/.env');
  expect(look()).toEqual([{ path: 'app/.env', kind: 'file' }]);
  rmSync(join(workspace, 'app/.env'));
  expect(look()).toEqual([]);
});
