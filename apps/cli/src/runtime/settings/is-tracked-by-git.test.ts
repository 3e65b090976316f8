import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isTrackedByGit } from './is-tracked-by-git.ts';

const FILE = '.signalbox/local.yaml';

function git(cwd: string, ...argv: string[]): void {
  const { status, stderr } = spawnSync('git', argv, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Files that a test adds next to it are removed with it. */
function emptyFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'signalbox-tracked-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'work');
  mkdirSync(folder);
  return folder;
}

function repository(): string {
  const folder = emptyFolder();
  git(folder, 'init', '-q');
  mkdirSync(join(folder, '.signalbox'));
  mkdirSync(join(folder, 'sub/.signalbox'), { recursive: true });
  for (const path of ['a.txt', FILE, `sub/${FILE}`]) writeFileSync(join(folder, path), 'x\n');
  return folder;
}

test.each(['2', '4'])('a file that git tracks is found in an index of version %s', async (version) => {
  const folder = repository();
  git(folder, 'config', 'index.version', version);
  git(folder, 'add', 'a.txt');
  expect(await isTrackedByGit(folder, FILE)).toBe(false);
  git(folder, 'add', '-f', FILE);
  expect(await isTrackedByGit(folder, FILE)).toBe(true);
});

test('a workspace below the repository’s root is detected too, also in a worktree', async () => {
  const folder = repository();
  git(folder, 'add', '-f', `sub/${FILE}`);
  expect(await isTrackedByGit(join(folder, 'sub'), FILE)).toBe(true);
  git(folder, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'x');
  const worktree = `${folder}-worktree`;
  git(folder, 'worktree', 'add', '-q', worktree);
  expect(await isTrackedByGit(join(worktree, 'sub'), FILE)).toBe(true);
});

test('nothing is tracked outside of git', async () => {
  expect(await isTrackedByGit(emptyFolder(), FILE)).toBe(false);
});
