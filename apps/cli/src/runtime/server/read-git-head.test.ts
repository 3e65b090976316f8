import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readGitHead } from './read-git-head.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-head-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function git(folder: string, ...args: readonly string[]): string {
  const me = ['-c', 'user.name=mira', '-c', 'user.email=mira@example.com'];
  return execFileSync('git', ['-C', folder, ...me, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

test('the branch is known before its first commit, after a switch, and in a worktree', async () => {
  const folder = aFolder();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  expect(await readGitHead(folder)).toEqual({ kind: 'branch', name: 'main' });
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=start');
  git(folder, 'switch', '--quiet', '--create', 'fix/precedence');
  expect(await readGitHead(folder)).toEqual({ kind: 'branch', name: 'fix/precedence' });
  git(folder, 'worktree', 'add', '--quiet', '-b', 'second', 'tree');
  expect(await readGitHead(join(folder, 'tree'))).toEqual({ kind: 'branch', name: 'second' });
});

test('a detached HEAD is reported as its commit', async () => {
  const folder = aFolder();
  git(folder, 'init', '--quiet');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=start');
  git(folder, 'checkout', '--quiet', '--detach');
  expect(await readGitHead(folder)).toEqual({ kind: 'commit', id: git(folder, 'rev-parse', 'HEAD') });
});

test('outside of git there is no branch, and a forged HEAD is not shown', async () => {
  const folder = aFolder();
  expect(await readGitHead(folder)).toBeNull();
  mkdirSync(join(folder, '.git'));
  const head = join(folder, '.git', 'HEAD');
  for (const text of [
    '',
    'root:x:0:0',
    'ref: refs/heads/two words',
    'ref: refs/heads/a\u001b[31m',
    'ref: x',
  ]) {
    writeFileSync(head, text);
    expect(await readGitHead(folder)).toBeNull();
  }
  rmSync(head);
  symlinkSync('elsewhere', head);
  writeFileSync(join(folder, '.git', 'elsewhere'), 'ref: refs/heads/main\n');
  expect(await readGitHead(folder)).toBeNull();
  rmSync(head);
  execFileSync('/usr/bin/mkfifo', [head]);
  expect(await readGitHead(folder)).toBeNull();
});
