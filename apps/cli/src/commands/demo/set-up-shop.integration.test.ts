import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type RunTrusted, setUpShop } from './set-up-shop.ts';

const run: RunTrusted = ([program, ...args]) => {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1' },
  });
  return status === 0 ? stdout : null;
};

function aParent(): string {
  const parent = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return parent;
}

test('the shop is a git workspace with one commit, no changes, and the old build ignored', async () => {
  const workspace = await setUpShop(aParent(), run);
  expect(basename(workspace)).toBe('shop');
  expect(run(['git', '-C', workspace, 'log', '--format=%s by %an'])).toBe(
    'Shop, six tests red by Signalbox demo\n',
  );
  expect(run(['git', '-C', workspace, 'status', '--short', '--ignored'])).toBe('!! dist/\n');
});

test('every demo gets its own folder', async () => {
  const parent = aParent();
  expect(await setUpShop(parent, run)).not.toBe(await setUpShop(parent, run));
});

test('on a machine without git the error says so', async () => {
  await expect(setUpShop(aParent(), () => null)).rejects.toMatchObject({
    code: 'no-git',
    message: expect.stringMatching(/^Cannot set up the demo in ".*": git init failed$/),
  });
});
