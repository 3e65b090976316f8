import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

function pushTo(remote: string, cwd = '.'): ReturnType<typeof gitObstacle> {
  const options = {
    workspace,
    scratch: join(root, 'state'),
    path: '/usr/bin:/bin',
    isDenied: defaultIsDenied,
  };
  return gitObstacle({ kind: 'push', cwd, remote }, options).catch(() => null);
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
