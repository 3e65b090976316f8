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

let root: string;
let workspace: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  workspace = join(root, 'work');
  init('work');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function init(folder: string, remote = 'origin'): void {
  mkdirSync(join(root, folder), { recursive: true });
  const env = { PATH: '/usr/bin:/bin', HOME: root };
  const options = { cwd: join(root, folder), env, encoding: 'utf8' } as const;
  for (const args of [
    ['init', '-q'],
    ['remote', 'add', remote, 'https://x.example/a.git'],
  ])
    expect(spawnSync('git', args, options)).toMatchObject({ status: 0 });
}

function pushTo(remote: string, cwd = '.', refs: readonly string[] = []): ReturnType<typeof gitObstacle> {
  return ask({ kind: 'push', cwd, remote, refs });
}

async function ask(purpose: Parameters<typeof gitObstacle>[0]): ReturnType<typeof gitObstacle> {
  const options = {
    workspace,
    scratch: join(root, 'state'),
    path: '/usr/bin:/bin',
    isDenied: defaultIsDenied,
  };
  return gitObstacle(purpose, options).catch(() => null);
}

function git(...args: readonly string[]): void {
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: root,
    GIT_AUTHOR_DATE: '@0 +0000',
    GIT_COMMITTER_DATE: '@0 +0000',
  };
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@x.example'];
  expect(spawnSync('git', [...own, ...args], { cwd: workspace, env, encoding: 'utf8' })).toMatchObject({
    status: 0,
  });
}

test('a remote that is not there is told, with the names of those that are', async () => {
  mkdirSync(join(workspace, 'src'));
  const told = { kind: 'no-remote', remote: 'nosuch', remotes: ['origin'] };
  expect(await pushTo('nosuch')).toEqual(told);
  expect(await pushTo('nosuch', 'src')).toEqual(told);
});

test('nothing is said of a hidden folder, whether a name is there or not', async () => {
  mkdirSync(join(workspace, 'secrets/.git'), { recursive: true });
  writeFileSync(join(workspace, 'secrets/idrsa'), '');
  symlinkSync('secrets', join(workspace, 'way'));
  for (const cwd of ['secrets', 'secrets/nowhere', 'way'])
    for (const remote of ['idrsa', 'nothere']) expect(await pushTo(remote, cwd)).toBe(null);
  expect(await pushTo('secrets')).toBe(null);
  rmSync(join(workspace, 'secrets'), { recursive: true });
  expect(await pushTo('secrets')).toBe(null);
});

test('nothing is said of a folder or of settings that lie outside the workspace', async () => {
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
    expect([cwd, await pushTo('nosuch', cwd)]).toEqual([cwd, null]);
});

test('a git folder elsewhere in the workspace is looked at', async () => {
  init('work/kept', 'upstream');
  mkdirSync(join(workspace, 'module'));
  writeFileSync(join(workspace, 'module/.git'), 'gitdir: ../kept/.git\n');
  const told = { kind: 'no-remote', remote: 'nosuch', remotes: ['upstream'] };
  expect(await pushTo('nosuch', 'module')).toEqual(told);
});

test('a fetch has an obstacle where a push to the same remote has one', async () => {
  expect(await ask({ kind: 'fetch', cwd: '.', remote: 'nosuch' })).toEqual({
    kind: 'no-remote',
    remote: 'nosuch',
    remotes: ['origin'],
  });
  expect(await ask({ kind: 'fetch', cwd: '.', remote: null })).toBe(null);
  git('config', 'remotes.both', 'origin origin');
  expect(await ask({ kind: 'fetch', cwd: '.', remote: 'both' })).toBe(null);
  git('remote', 'remove', 'origin');
  git('config', '--unset', 'remotes.both');
  expect(await ask({ kind: 'fetch', cwd: '.', remote: null })).toMatchObject({
    kind: 'no-remote',
    remotes: [],
  });
});

/** What may be pushed from where the test below is. */
const MEANT =
  'main v1 feature/one heads/main tags/v1 refs/heads/main up/dev up main:new HEAD @ HEAD~1 main^ :gone : abc1234 ' +
  'v1-2-gabc1234 refs/heads/* $X';

test('a branch or tag that is not there is told, and anything that may name a commit is not', async () => {
  expect(await pushTo('origin', '.', ['main'])).toEqual({ kind: 'no-ref', ref: 'main', refs: [] });
  git('checkout', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'x');
  git('tag', 'v1');
  git('branch', 'feature/one');
  git('update-ref', 'refs/remotes/up/dev', 'HEAD');
  git('symbolic-ref', 'refs/remotes/up/HEAD', 'refs/remotes/up/dev');
  const known = ['feature/one', 'main', 'v1'];
  for (const isPacked of [false, true]) {
    if (isPacked) git('pack-refs', '--all');
    for (const ref of [
      'mian',
      '+mian:main',
      'mian:refs/heads/main',
      'refs/heads/mian',
      'feature/two',
      'heads/mian',
    ])
      expect([ref, await pushTo('origin', '.', [ref])]).toEqual([
        ref,
        { kind: 'no-ref', ref: ref.replace(/^[+]|:.*/g, ''), refs: expect.arrayContaining(known) as unknown },
      ]);
    for (const ref of MEANT.split(' '))
      expect([ref, await pushTo('origin', '.', [ref])]).toEqual([ref, null]);
  }
  expect(await pushTo('origin', '.', ['tag', 'v9'])).toBe(null);
  expect(await pushTo('origin', '.', ['main', 'mian'])).toMatchObject({ ref: 'mian' });
  appendFileSync(join(workspace, '.git/packed-refs'), '#'.repeat(9 * 1024 ** 2));
  expect(await pushTo('origin', '.', ['mian'])).toBe(null);
});
