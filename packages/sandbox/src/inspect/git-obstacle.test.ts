import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
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
import { defaultIsDenied } from '../denials/default-denials.ts';
import { gitObstacle } from './git-obstacle.ts';
import { readRefs } from './read-refs.ts';

let root: string;
let workspace: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  workspace = join(root, 'work');
  init('work');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(folder: string, ...args: readonly string[]): void {
  const env = { PATH: '/usr/bin:/bin', HOME: root };
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  expect(spawnSync('git', [...who, ...args], { cwd: folder, env })).toMatchObject({ status: 0 });
}

function init(folder: string, remote = 'origin'): void {
  mkdirSync(join(root, folder), { recursive: true });
  git(join(root, folder), 'init', '-q');
  git(join(root, folder), 'remote', 'add', remote, 'https://x.example/a.git');
}

function pushTo(
  remote: string,
  { cwd = '.', refs = [] }: Readonly<{ cwd?: string; refs?: readonly string[] }> = {},
): ReturnType<typeof gitObstacle> {
  return ask({ kind: 'push', cwd, remote, refs });
}

function ask(purpose: Parameters<typeof gitObstacle>[0]): ReturnType<typeof gitObstacle> {
  return gitObstacle(purpose, optionsOf()).catch(() => null);
}

function optionsOf(): Parameters<typeof gitObstacle>[1] {
  return { workspace, scratch: join(root, 'state'), path: '/usr/bin:/bin', isDenied: defaultIsDenied };
}

test('a missing remote is reported with the existing ones', async () => {
  mkdirSync(join(workspace, 'src'));
  const reported = { kind: 'no-remote', remote: 'nosuch', remotes: ['origin'] };
  expect(await pushTo('nosuch')).toEqual(reported);
  expect(await pushTo('nosuch', { cwd: 'src' })).toEqual(reported);
});

test('nothing is revealed about a hidden folder', async () => {
  mkdirSync(join(workspace, 'secrets/.git'), { recursive: true });
  writeFileSync(join(workspace, 'secrets/idrsa'), '');
  symlinkSync('secrets', join(workspace, 'way'));
  for (const cwd of ['secrets', 'secrets/nowhere', 'way'])
    for (const remote of ['idrsa', 'nothere']) expect(await pushTo(remote, { cwd })).toBe(null);
  expect(await pushTo('secrets')).toBe(null);
  rmSync(join(workspace, 'secrets'), { recursive: true });
  expect(await pushTo('secrets')).toBe(null);
});

test('nothing is revealed about folders or settings outside the workspace', async () => {
  init('other', 'very-private-remote');
  symlinkSync('../other', join(workspace, 'link'));
  mkdirSync(join(workspace, 'file'));
  writeFileSync(join(workspace, 'file/.git'), `gitdir: ${join(root, 'other/.git')}\n`);
  mkdirSync(join(workspace, 'folder'));
  symlinkSync('../../other/.git', join(workspace, 'folder/.git'));
  init('work/settings');
  rmSync(join(workspace, 'settings/.git/config'));
  symlinkSync('../../../other/.git/config', join(workspace, 'settings/.git/config'));
  init('work/common');
  writeFileSync(join(workspace, 'common/.git/commondir'), `${join(root, 'other/.git')}\n`);
  for (const cwd of ['link', 'file', 'folder', 'settings', 'common'])
    expect([cwd, await pushTo('nosuch', { cwd })]).toEqual([cwd, null]);
});

test('nothing is revealed about a path behind a link', async () => {
  mkdirSync(join(root, 'outside'));
  writeFileSync(join(root, 'outside/exists'), '');
  symlinkSync('../outside', join(workspace, 'h'));
  for (const path of ['h/exists', 'h/nope', '../outside/exists', '../outside/nope']) {
    expect([path, await ask({ kind: 'checkout', cwd: '.', ref: path })]).toEqual([path, null]);
    expect([path, await ask({ kind: 'stage', cwd: '.', paths: [path] })]).toEqual([path, null]);
  }
  expect(await ask({ kind: 'checkout', cwd: '.', ref: 'nope' })).toMatchObject({ kind: 'no-ref' });
});

test('a git folder elsewhere in the workspace is read', async () => {
  init('work/kept', 'upstream');
  mkdirSync(join(workspace, 'module'));
  writeFileSync(join(workspace, 'module/.git'), 'gitdir: ../kept/.git\n');
  const reported = { kind: 'no-remote', remote: 'nosuch', remotes: ['upstream'] };
  expect(await pushTo('nosuch', { cwd: 'module' })).toEqual(reported);
});

test('a fetch has the same obstacle as a push to the same remote', async () => {
  expect(await ask({ kind: 'fetch', cwd: '.', remote: 'nosuch' })).toEqual({
    kind: 'no-remote',
    remote: 'nosuch',
    remotes: ['origin'],
  });
  expect(await ask({ kind: 'fetch', cwd: '.', remote: null })).toBe(null);
  git(workspace, 'config', 'remotes.both', 'origin origin');
  expect(await ask({ kind: 'fetch', cwd: '.', remote: 'both' })).toBe(null);
  git(workspace, 'remote', 'remove', 'origin');
  git(workspace, 'config', '--unset', 'remotes.both');
  expect(await ask({ kind: 'fetch', cwd: '.', remote: null })).toMatchObject({
    kind: 'no-remote',
    remotes: [],
  });
});

/** Refs that may be valid in the repository of the test below. */
const MEANT =
  'main v1 feature/one heads/main tags/v1 refs/heads/main up/dev up main:new HEAD @ HEAD~1 main^ :gone : abc1234 ' +
  'v1-2-gabc1234 refs/heads/* $X B70937AD v1-2-gABC1234 main-worktree/HEAD worktrees/x/HEAD logs/HEAD';

test('a missing branch or tag is reported, and anything that may name a commit is not', async () => {
  expect(await pushTo('origin', { cwd: '.', refs: ['main'] })).toEqual({
    kind: 'no-ref',
    ref: 'main',
    refs: [],
  });
  git(workspace, 'checkout', '-q', '-b', 'main');
  git(workspace, 'commit', '-q', '--allow-empty', '-m', 'x');
  git(workspace, 'tag', 'v1');
  git(workspace, 'branch', 'feature/one');
  git(workspace, 'update-ref', 'refs/remotes/up/dev', 'HEAD');
  git(workspace, 'symbolic-ref', 'refs/remotes/up/HEAD', 'refs/remotes/up/dev');
  const known = ['feature/one', 'main', 'v1'];
  for (const isPacked of [false, true]) {
    if (isPacked) git(workspace, 'pack-refs', '--all');
    for (const ref of [
      'mian',
      '+mian:main',
      'mian:refs/heads/main',
      'refs/heads/mian',
      'feature/two',
      'heads/mian',
    ])
      expect([ref, await pushTo('origin', { cwd: '.', refs: [ref] })]).toEqual([
        ref,
        { kind: 'no-ref', ref: ref.replace(/^[+]|:.*/g, ''), refs: expect.arrayContaining(known) as unknown },
      ]);
    for (const ref of MEANT.split(' '))
      expect([ref, await pushTo('origin', { cwd: '.', refs: [ref] })]).toEqual([ref, null]);
  }
  expect(await pushTo('origin', { cwd: '.', refs: ['tag', 'v9'] })).toBe(null);
  expect(await pushTo('origin', { cwd: '.', refs: ['main', 'mian'] })).toMatchObject({ ref: 'mian' });
  appendFileSync(join(workspace, '.git/packed-refs'), '#'.repeat(9 * 1024 ** 2));
  expect(await pushTo('origin', { cwd: '.', refs: ['mian'] })).toBe(null);
});

test.each([
  ['refs', 'refs'],
  ['refs/heads', 'refs/heads'],
  ['refs/tags', 'refs/heads'],
  ['refs/heads/deep', 'refs/heads'],
  ['packed-refs', 'packed-refs'],
])('no branch is read if .git/%s leads out of the git folder', async (place, target) => {
  init('other');
  git(workspace, 'checkout', '-q', '-b', 'main');
  for (const folder of [join(root, 'other'), workspace])
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'x');
  git(join(root, 'other'), 'branch', 'very-private');
  git(join(root, 'other'), 'pack-refs', '--all');
  git(join(root, 'other'), 'branch', 'other-private');
  rmSync(join(workspace, '.git', place), { recursive: true, force: true });
  symlinkSync(join(root, 'other/.git', target), join(workspace, '.git', place));
  const names = ['nosuch', 'very-private', 'other-private', 'deep/nosuch', 'deep/other-private'];
  for (const ref of names)
    expect([ref, await pushTo('origin', { cwd: '.', refs: [ref] })]).toEqual([ref, null]);
  const { find, below } = await readRefs(join(workspace, '.git'), join(workspace, '.git'));
  expect([...(await below('refs/')).keys()].filter((name) => /private/.test(name))).toEqual([]);
  for (const ref of names) expect(await find(`refs/heads/${ref}`)).toBe(undefined);
});

test('a branch behind a link inside the git folder is found', async () => {
  git(workspace, 'checkout', '-q', '-b', 'main');
  git(workspace, 'commit', '-q', '--allow-empty', '-m', 'x');
  symlinkSync('main', join(workspace, '.git/refs/heads/alias'));
  expect(await pushTo('origin', { cwd: '.', refs: ['alias'] })).toBe(null);
});

test('only the first 2,000 entries below refs are read', async () => {
  const refs = join(workspace, '.git/refs');
  for (let n = 0; n < 30; n++) {
    mkdirSync(join(refs, `heads/${n}`), { recursive: true });
    for (let m = 0; m < 100; m++) writeFileSync(join(refs, `heads/${n}/${m}`), `${'a'.repeat(40)}\n`);
  }
  const { below } = await readRefs(join(workspace, '.git'), join(workspace, '.git'));
  const { size } = await below('refs/');
  expect([size > 1900, size <= 2000]).toEqual([true, true]);
});

test('a work tree of a repository outside uses its own index and reports no remote', async () => {
  init('main', 'very-private-remote');
  git(join(root, 'main'), 'commit', '-q', '--allow-empty', '-m', 'start');
  workspace = join(root, 'linked');
  git(join(root, 'main'), 'worktree', 'add', '-q', '-b', 'side', workspace);
  const options = optionsOf();
  const obstacle = (kind: 'commit-staged' | 'use') => gitObstacle({ kind, cwd: '.' }, options);
  expect([await obstacle('use'), await obstacle('commit-staged')]).toEqual([
    null,
    { kind: 'nothing-staged' },
  ]);
  writeFileSync(join(workspace, 'a.txt'), 'one\n');
  expect(await obstacle('commit-staged')).toEqual({ kind: 'nothing-staged' });
  git(workspace, 'add', 'a.txt');
  expect(await obstacle('commit-staged')).toBe(null);
  git(workspace, 'commit', '-q', '-m', 'one');
  expect(await obstacle('commit-staged')).toEqual({ kind: 'nothing-staged' });
  for (const remote of ['very-private-remote', 'nosuch'])
    expect(await gitObstacle({ kind: 'push', cwd: '.', remote, refs: [] }, options)).toBe(null);
  expect(await gitObstacle({ kind: 'push', cwd: '.', remote: null, refs: [] }, options)).toBe(null);
});

test('a linked work tree below the workspace uses its own index', async () => {
  git(workspace, 'commit', '-q', '--allow-empty', '-m', 'start');
  git(workspace, 'worktree', 'add', '-q', '-b', 'side', 'trees/side');
  writeFileSync(join(workspace, 'trees/side/a.txt'), 'one\n');
  git(join(workspace, 'trees/side'), 'add', 'a.txt');
  const options = optionsOf();
  expect(await gitObstacle({ kind: 'commit-staged', cwd: '.' }, options)).toEqual({ kind: 'nothing-staged' });
  expect(await gitObstacle({ kind: 'commit-staged', cwd: 'trees/side' }, options)).toBe(null);
});
