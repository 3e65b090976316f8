import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

test('secrets are found at any depth, examples and packages are not denied', async () => {
  for (const path of ['.env', 'app/.env.production', 'app/.env.example', 'app/node_modules/x/.env'])
    write(path);
  mkdirSync(join(workspace, 'app/secrets'));
  expect(
    (await createDeniedPaths(workspace, defaultIsDenied)()).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  ).toEqual([
    { path: '.env', kind: 'file' },
    { path: 'app/.env.production', kind: 'file' },
    { path: 'app/secrets', kind: 'directory' },
  ]);
});

test('secrets are found in build folders, and package code is not mistaken for one (R-B1)', async () => {
  const kept = ['target/debug/.env', '_build/.env', '.venv/secrets/key', '.hg/.env', 'app/.svn/.env'];
  const packages = '.venv/lib/python3/site-packages';
  for (const path of [...kept, `${packages}/cloud/secrets/client.py`, `${packages}/cloud/secrets/.env`]) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    write(path);
  }
  const found = (await createDeniedPaths(workspace, defaultIsDenied)()).map(({ path }) => path);
  expect(found.toSorted()).toEqual(
    [
      ...kept.filter((path) => path.endsWith('.env')),
      '.venv/secrets',
      `${packages}/cloud/secrets/.env`,
    ].toSorted(),
  );
});

test('a secret that appears or disappears is found by the next scan, even if the mtime is set back (R-B2)', async () => {
  const findDenied = createDeniedPaths(workspace, defaultIsDenied);
  // Old by mtime, which any process can set.
  const settle = (): void => utimesSync(join(workspace, 'app'), 1, 1);
  settle();
  expect(await findDenied()).toEqual([]);
  write('app/.env');
  settle();
  expect(await findDenied()).toEqual([{ path: 'app/.env', kind: 'file' }]);
  rmSync(join(workspace, 'app/.env'));
  settle();
  expect(await findDenied()).toEqual([]);
});

/** Rules whose version `two` denies this file; its folder changed long enough ago to be cached. */
function changingRules() {
  const rules = { basis: 'one', fails: false, onJudged: (): void => undefined };
  const isDenied = Object.assign(
    (path: string): boolean => {
      if (rules.fails) throw new Error('no rules');
      if (path !== 'denied-paths.test.ts') return false;
      const answer = rules.basis === 'two';
      rules.onJudged();
      return answer;
    },
    { basis: () => rules.basis },
  );
  return { rules, findDenied: createDeniedPaths(import.meta.dirname, isDenied) };
}
const OWN_FILE = [{ path: 'denied-paths.test.ts', kind: 'file' }];

test('a scan that fails under changed rules leaves nothing behind of the old ones', async () => {
  const { rules, findDenied } = changingRules();
  expect(await findDenied()).toEqual([]);
  Object.assign(rules, { basis: 'two', fails: true });
  await expect(findDenied()).rejects.toThrow('no rules');
  rules.fails = false;
  expect(await findDenied()).toEqual(OWN_FILE);
});

test('a scan that began under the old rules leaves nothing behind for a scan under the changed ones', async () => {
  const { rules, findDenied } = changingRules();
  let beside: ReturnType<typeof findDenied> | undefined;
  rules.onJudged = () => {
    rules.onJudged = () => undefined;
    rules.basis = 'two';
    beside = findDenied();
  };
  await findDenied();
  const after = findDenied();
  expect(await beside).toEqual(OWN_FILE);
  expect(await after).toEqual(OWN_FILE);
  expect(await findDenied()).toEqual(OWN_FILE);
});
