import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createShadowGit, type ShadowGit } from './shadow-git.ts';

let workspace: string;
let shadow: ShadowGit;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  mkdirSync(join(workspace, '.signalbox'));
  shadow = createShadowGit({
    workspace,
    folder: join(workspace, '.signalbox', 'shadow-git', 'me'),
    stateFolder: join(workspace, '.signalbox'),
    path: '/usr/bin:/bin',
  });
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

test('created, changed and deleted files between two listings are reported, with the current hash', async () => {
  for (const name of ['same', 'changed', 'gone/deep', 'mode', 'becomes-link']) write(name, name);
  const list = await shadow.list();
  write('changed', 'other');
  write('new folder/näme\nof two lines', 'new');
  rmSync(join(workspace, 'gone'), { recursive: true });
  chmodSync(join(workspace, 'mode'), 0o755);
  rmSync(join(workspace, 'becomes-link'));
  symlinkSync('same', join(workspace, 'becomes-link'));
  expect(await list()).toEqual([
    { path: 'becomes-link', kind: 'modified', hash: null },
    { path: 'changed', kind: 'modified', hash: hashOf('other') },
    { path: 'gone/deep', kind: 'deleted', hash: null },
    { path: 'mode', kind: 'modified', hash: hashOf('mode') },
    { path: 'new folder/näme\nof two lines', kind: 'created', hash: hashOf('new') },
  ]);
});

test('an unchanged workspace has no changes, even when empty', async () => {
  expect(await (await shadow.list())()).toEqual([]);
  write('a', 'a');
  const list = await shadow.list();
  write('a', 'a');
  expect(await list()).toEqual([]);
});

test('overlapping listings each report the changes since their own start', async () => {
  const first = await shadow.list();
  write('a', 'a');
  const second = await shadow.list();
  write('b', 'b');
  const names = async (list: typeof first) => (await list()).map(({ path }) => path);
  expect(await names(first)).toEqual(['a', 'b']);
  expect(await names(second)).toEqual(['b']);
});

test('repositories in the workspace, their attributes and hooks have no effect', async () => {
  spawnSync('git', ['init', '-q', workspace]);
  spawnSync('git', ['init', '-q', join(workspace, 'inner')]);
  write('.gitattributes', '* text=auto eol=lf filter=evil\n');
  write('.git/hooks/post-index-change', '#!/bin/sh\ntouch ran\n');
  chmodSync(join(workspace, '.git/hooks/post-index-change'), 0o755);
  write('.gitignore', 'ignored\n');
  write('a', 'one\n');
  write('inner/file', 'inner');
  const list = await shadow.list();
  write('a', 'one\r\n');
  write('ignored', 'x');
  expect((await list()).map(({ path }) => path)).toEqual(['a']);
  expect(readdirSync(workspace)).not.toContain('ran');
});

test('two processes can list one workspace at the same time', async () => {
  write('a', 'a');
  const other = createShadowGit({
    workspace,
    folder: join(workspace, '.signalbox', 'shadow-git', 'you'),
    stateFolder: join(workspace, '.signalbox'),
    path: '/usr/bin:/bin',
  });
  const mine = await shadow.list();
  const theirs = await other.list();
  write('a', 'b');
  expect((await mine()).map(({ path }) => path)).toEqual(['a']);
  expect((await theirs()).map(({ path }) => path)).toEqual(['a']);
});

test('a file changed right after the listing, to the same length, is reported', async () => {
  for (let round = 0; round < 20; round++) {
    write('a', `${round % 10}`);
    const list = await shadow.list();
    write('a', `${(round + 1) % 10}`);
    expect((await list()).map(({ path }) => path)).toEqual(['a']);
  }
});

test('no git configuration starts a program', async () => {
  const hostile = join(workspace, 'hostile');
  write(
    'hostile',
    `[core]\n\tfsmonitor = touch ${workspace}/ran\n[diff]\n\texternal = touch ${workspace}/ran\n`,
  );
  spawnSync('git', ['init', '-q', workspace]);
  spawnSync('git', ['-C', workspace, 'config', 'core.fsmonitor', `touch ${workspace}/ran`]);
  vi.stubEnv('GIT_CONFIG_GLOBAL', hostile);
  vi.stubEnv('GIT_CONFIG_SYSTEM', hostile);
  vi.stubEnv('GIT_EXTERNAL_DIFF', `touch ${workspace}/ran`);
  try {
    // Proves that the configuration is hostile.
    spawnSync('git', ['status'], { cwd: workspace });
    expect(readdirSync(workspace)).toContain('ran');
    rmSync(join(workspace, 'ran'));
    const list = await shadow.list();
    write('a', 'a');
    expect((await list()).map(({ path }) => path)).toEqual(['a']);
    expect(readdirSync(workspace)).not.toContain('ran');
  } finally {
    vi.unstubAllEnvs();
  }
});

test('no content of the workspace is stored', async () => {
  write('.env', 'KEY=secret');
  await shadow.list();
  const objects = readdirSync(join(workspace, '.signalbox', 'shadow-git', 'me', 'objects'));
  expect(objects.filter((name) => name.length === 2)).toEqual([]);
});

test('a machine without git gets an error', async () => {
  const none = createShadowGit({
    workspace,
    folder: join(workspace, '.signalbox', 'shadow'),
    stateFolder: join(workspace, '.signalbox'),
    path: '/nowhere',
  });
  await expect(none.list()).rejects.toMatchObject({
    code: 'sandbox_error',
    why: [expect.stringContaining('git')],
  });
});
