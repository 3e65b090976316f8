import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Inspector } from '@signalbox/core';
import { inspectorContract } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInspector } from './inspector.ts';

let root: string;
let workspace: string;
let inspector: Inspector;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  workspace = join(root, 'work');
  mkdirSync(workspace);
  inspector = createInspector({
    workspace,
    scratch: join(root, 'state'),
    path: '/usr/bin:/bin',
    isDenied: (path) => path.split('/').includes('.env'),
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (path: string): string => join(workspace, path);
function put(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

const WHO = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];
function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', [...WHO, ...args], {
    cwd: workspace,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', HOME: root },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const COMMIT = { cwd: '.', isAll: false, isAmend: false, only: [], added: [] };
const PUSH = { cwd: '.', remote: null, refs: [], isForced: false, isDelete: false, also: [] };

inspectorContract('on disk', async (files) => {
  for (const [path, text] of Object.entries(files)) put(path, text);
  return inspector;
});

describe('the preview of a deletion (U-M2)', () => {
  test('has size and first names of a folder, with links and nested repositories as such', async () => {
    put('docs/a', '12345');
    put('docs/deep/b\nname', '123');
    put('docs/inner/.git/HEAD', 'ref: refs/heads/x');
    put('outside', 'x'.repeat(1000));
    symlinkSync('../outside', at('docs/link'));
    expect(await inspector.removal({ path: 'docs' })).toEqual({
      path: 'docs',
      isFolder: true,
      files: 4,
      bytes: 25,
      names: ['docs/a', 'docs/deep/b\nname', 'docs/inner/.git/HEAD', 'docs/link'],
      isCounted: true,
    });
    expect(await inspector.removal({ path: 'docs', isMeant: (path) => path.endsWith('/a') })).toMatchObject({
      files: 1,
      names: ['docs/a'],
    });
    expect(await inspector.removal({ path: 'docs/a' })).toMatchObject({
      isFolder: false,
      files: 1,
      bytes: 5,
    });
    expect(await inspector.removal({ path: 'docs/link' })).toMatchObject({ isFolder: false, bytes: 0 });
    expect(await inspector.removal({ path: 'not/there' })).toBeNull();
  });

  test('reports more than 20,000 entries as "at least"', async () => {
    mkdirSync(at('many'));
    for (let n = 0; n < 20_010; n++) writeFileSync(at(`many/${n}`), '');
    const removal = await inspector.removal({ path: 'many' });
    expect(removal).toMatchObject({ isCounted: false });
    expect(removal?.names).toHaveLength(20);
  }, 60_000);

  test('does not follow links', async () => {
    symlinkSync(root, at('out'));
    await expect(inspector.removal({ path: 'out/work' })).rejects.toThrow('symbolic link');
  });
});

describe('the preview of a commit (U-M2)', () => {
  beforeEach(() => {
    git('init', '-q', '-b', 'main');
    put('a.txt', 'one\n');
    put('b.txt', 'one\n');
    git('add', '.');
    git('commit', '-qm', 'first');
  });

  test('has exactly what is staged', async () => {
    put('a.txt', 'two\n');
    git('add', 'a.txt');
    put('a.txt', 'three\n');
    put('b.txt', 'two\n');
    const difference = await inspector.commit(COMMIT);
    expect(difference).toMatchObject({
      files: [{ path: 'a.txt', added: 1, removed: 1 }],
      fileCount: 1,
      isCut: false,
    });
    expect(difference.patch).toContain('-one\n+two\n');
    expect(difference.patch).not.toContain('three');
  });

  test('has all tracked files for -a, only the named paths, and files the line adds as new', async () => {
    put('a.txt', 'two\n');
    put('b.txt', 'two\n');
    put('new.txt', 'new\n');
    put('other.txt', 'other\n');
    const names = async (step: object) =>
      (await inspector.commit({ ...COMMIT, ...step })).files.map(({ path }) => path);
    expect(await names({})).toEqual([]);
    expect(await names({ isAll: true })).toEqual(['a.txt', 'b.txt']);
    expect(await names({ only: ['b.txt'] })).toEqual(['b.txt']);
    git('add', 'b.txt');
    expect(await names({ added: ['new.txt'] })).toEqual(['b.txt', 'new.txt']);
    expect(await names({ added: ['.'] })).toEqual(['a.txt', 'b.txt', 'new.txt', 'other.txt']);
    expect((await inspector.commit({ ...COMMIT, added: ['new.txt'] })).patch).toContain('+new\n');
  });

  test('handles a first commit, binary files, hostile names and denied files', async () => {
    rmSync(at('.git'), { recursive: true });
    git('init', '-q');
    put('-rf\n"x', 'x\n');
    put('bin', '\0\0');
    put('.env', 'KEY=1\n');
    git('add', '-f', '.');
    const difference = await inspector.commit(COMMIT);
    expect(difference.files.map(({ path }) => path)).toEqual(['-rf\n"x', '.env', 'a.txt', 'b.txt', 'bin']);
    expect(difference.files.at(-1)).toEqual({ path: 'bin', added: null, removed: null });
    expect(difference.patch).not.toContain('KEY=1');
  });

  test('is cut at 64 KiB', async () => {
    put('a.txt', 'long line\n'.repeat(20_000));
    git('add', '.');
    const difference = await inspector.commit(COMMIT);
    expect(difference.isCut).toBe(true);
    expect(difference.patch.length).toBeLessThanOrEqual(64 * 1024);
  });

  test('runs no program a repository configures, and does not write to it', async () => {
    const ran = join(root, 'ran');
    put('tool', `#!/bin/sh\ntouch ${ran}\ncat\n`);
    chmodSync(at('tool'), 0o755);
    put('.gitattributes', '* diff=evil filter=evil\n');
    mkdirSync(at('sub'));
    git('init', '-q', 'sub');
    spawnSync('git', [...WHO, 'commit', '--allow-empty', '-qm', 'x'], { cwd: at('sub') });
    git('add', '.');
    for (const repository of ['.', 'sub']) {
      for (const [key, value] of [
        ['core.fsmonitor', at('tool')],
        ['core.hooksPath', workspace],
        ['core.pager', at('tool')],
        ['diff.external', at('tool')],
        ['diff.evil.textconv', at('tool')],
        ['diff.evil.command', at('tool')],
        ['filter.evil.clean', at('tool')],
        ['filter.evil.smudge', at('tool')],
        ['filter.evil.required', 'true'],
        ['gpg.program', at('tool')],
        ['log.showSignature', 'true'],
      ] as const)
        spawnSync('git', ['config', key, value], { cwd: at(repository) });
    }
    put('a.txt', 'two\n');
    put('sub/new', 'x');
    // Proves that the repository is hostile.
    spawnSync('git', ['diff', 'HEAD'], { cwd: workspace });
    expect(existsSync(ran)).toBe(true);
    rmSync(ran);
    const index = readFileSync(at('.git/index'));
    const objects = readdirSync(at('.git/objects')).toSorted();
    expect((await inspector.commit({ ...COMMIT, isAll: true })).files.length).toBeGreaterThan(0);
    await inspector.commit({ ...COMMIT, added: ['.'] });
    await inspector.push({ ...PUSH, remote: 'origin' });
    expect(existsSync(ran)).toBe(false);
    expect(readFileSync(at('.git/index')).equals(index)).toBe(true);
    expect(readdirSync(at('.git/objects')).toSorted()).toEqual(objects);
    expect(readdirSync(join(root, 'state'))).toEqual([]);
  });

  test('handles a work tree of another repository, and a repository in a folder', async () => {
    git('worktree', 'add', '-q', 'linked');
    writeFileSync(at('linked/a.txt'), 'linked\n');
    expect((await inspector.commit({ ...COMMIT, cwd: 'linked', isAll: true })).patch).toContain('+linked');
    mkdirSync(at('inner'));
    spawnSync('git', ['init', '-q'], { cwd: at('inner') });
    writeFileSync(at('inner/x'), 'x\n');
    spawnSync('git', ['add', 'x'], { cwd: at('inner') });
    expect((await inspector.commit({ ...COMMIT, cwd: 'inner' })).files).toEqual([
      { path: 'x', added: 1, removed: 0 },
    ]);
  });

  test('fails with a reason', async () => {
    writeFileSync(at('.git/index'), 'rubbish');
    await expect(inspector.commit(COMMIT)).rejects.toThrow('index file');
    rmSync(at('.git'), { recursive: true });
    await expect(inspector.commit(COMMIT)).rejects.toThrow('no git repository');
  });
});

test('idle() waits for unawaited lookups, and the scratch folder is empty afterwards', async () => {
  git('init', '-q');
  put('a.txt', 'a');
  git('add', '.');
  git('commit', '-qm', 'first');
  const looks = Array.from({ length: 4 }, () => inspector.commit(COMMIT));
  await inspector.idle();
  expect(readdirSync(join(root, 'state'))).toEqual([]);
  await Promise.allSettled(looks);
});
