import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findWorkspace, requireWorkspace } from './find-workspace.ts';

let root = '';
let home = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-find-')));
  home = folder('home');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function folder(path: string): string {
  mkdirSync(join(root, path), { recursive: true });
  return join(root, path);
}

function file(path: string, text = ''): string {
  folder(join(path, '..'));
  writeFileSync(join(root, path), text);
  return join(root, path);
}

function git(cwd: string, ...args: readonly string[]): void {
  const done = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(done.stderr);
}

const found = (from: string): string => findWorkspace(from, { HOME: home }).directory;

test('the workspace is the nearest parent with settings or state, at most the git root (A-B3)', () => {
  const repository = folder('repo');
  git(repository, 'init', '--quiet');
  const deep = folder('repo/packages/api/src');
  expect(found(deep)).toBe(repository);
  expect(found(repository)).toBe(repository);
  file('repo/signalbox.yaml');
  expect(findWorkspace(deep, { HOME: home })).toEqual({ cwd: deep, directory: repository });
  rmSync(join(repository, 'signalbox.yaml'));
  folder('repo/packages/api/.signalbox');
  expect(found(deep)).toBe(join(repository, 'packages/api'));
});

test('without git it is found upward too, and defaults to the folder itself', () => {
  const notes = folder('notes/2026');
  expect(found(notes)).toBe(notes);
  folder('notes/.signalbox');
  expect(found(notes)).toBe(join(root, 'notes'));
});

test('a link to one of its folders leads to the same workspace', () => {
  const deep = folder('repo/src');
  file('repo/signalbox.yaml');
  symlinkSync(deep, join(root, 'link'));
  expect(findWorkspace(join(root, 'link'), { HOME: home })).toEqual({
    cwd: deep,
    directory: join(root, 'repo'),
  });
});

test('a git worktree is a repository of its own, whose .git is a file', () => {
  const main = folder('main');
  git(main, 'init', '--quiet');
  git(main, 'commit', '--quiet', '--allow-empty', '-m', 'start');
  folder('main/.signalbox');
  git(main, 'worktree', 'add', '--quiet', join(root, 'beside'));
  expect(found(folder('beside/src'))).toBe(join(root, 'beside'));
});

test('a nested workspace is refused with a reason: a submodule, a worktree, a folder (A-B3)', () => {
  const outer = folder('outer');
  git(outer, 'init', '--quiet');
  file('outer/signalbox.yaml');
  file('outer/library/.git', 'gitdir: ../.git/modules/library\n');
  folder('outer/packages/api/.signalbox');
  for (const inner of ['library', 'library/src', 'packages/api'])
    expect(() => found(folder(join('outer', inner)))).toThrow(
      expect.objectContaining({
        code: 'nested-workspace',
        message: `Cannot use "${inner.replace('/src', '')}": it is inside the workspace "${outer}"`,
        next: expect.arrayContaining([`signalbox -C ${outer} …   works in the outer one`]),
      }),
    );
});

test('home, / and world-writable folders are not workspaces of the folders below them', () => {
  mkdirSync(join(home, '.signalbox'));
  const project = folder('home/project');
  expect(found(project)).toBe(project);
  expect(found(home)).toBe(home);
  git(home, 'init', '--quiet');
  expect(found(project)).toBe(project);

  const shared = folder('shared');
  chmodSync(shared, 0o1777);
  mkdirSync(join(shared, '.signalbox'));
  expect(found(folder('shared/mine'))).toBe(join(shared, 'mine'));
});

test('a folder that is not a workspace is refused with what it lacks', () => {
  const fresh = folder('my code');
  expect(() => requireWorkspace(fresh, 'serve an agent')).toThrow(
    expect.objectContaining({
      code: 'not-a-workspace',
      next: expect.arrayContaining([`signalbox init '${fresh}'`]),
    }),
  );
});

test('a missing folder is reported in words', () => {
  expect(() => found(join(root, 'nowhere'))).toThrow(
    `Cannot work in "${root}/nowhere": there is no such directory`,
  );
  expect(() => found(file('a-file'))).toThrow('there is no such directory');
});

test('unreadable parents are skipped', () => {
  const project = folder('theirs/project/src');
  file('theirs/project/signalbox.yaml');
  chmodSync(join(root, 'theirs'), 0o111);
  expect(found(project)).toBe(join(root, 'theirs/project'));
});

test.runIf(process.geteuid?.() === 0)(
  'files of another account in a parent are refused (only root can create them)',
  () => {
    const project = folder('ours/project');
    chownSync(folder('ours/.signalbox'), 12_345, 12_345);
    expect(() => found(project)).toThrow(expect.objectContaining({ code: 'foreign-workspace' }));
    // Going there explicitly is a decision, but foreign state is still not read (R-A5).
    expect(() => found(join(root, 'ours'))).toThrow(expect.objectContaining({ code: 'state-unsafe' }));
    rmSync(join(root, 'ours/.signalbox'), { recursive: true });
    chownSync(file('ours/signalbox.yaml'), 12_345, 12_345);
    expect(found(join(root, 'ours'))).toBe(join(root, 'ours'));
  },
);
