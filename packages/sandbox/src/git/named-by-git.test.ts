import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNamedByGit } from './named-by-git.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-named-')));
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, 'app'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const configure = (text: string): void => writeFileSync(join(root, '.git/config'), text);

test('a program that is not there yet is named, and words of its line are not', () => {
  configure(`[diff "x"]
    textconv = sh tools/tc.sh
[filter "x"]
    clean = node clean.js --all %f
    smudge = git-lfs smudge -- %f
[alias]
    t = !npm test`);
  expect(createNamedByGit(root, { home: '/home/x' })()).toEqual(['tools/tc.sh', 'clean.js']);
});

test('~ is the home of the person', () => {
  configure('[core]\n  hooksPath = ~/app/hooks\n  fsmonitor = ~/app/watch');
  expect(createNamedByGit(join(root, 'app'), { home: root })()).toEqual(['hooks', 'watch']);
});

test('a workspace below the repository reads what that names in it, and its own once it has one', () => {
  configure('[core]\n  hooksPath = app/hooks\n[diff "x"]\n  textconv = tools/tc.sh');
  const named = createNamedByGit(join(root, 'app'), { home: '/home/x' });
  expect(named()).toEqual(['hooks']);
  mkdirSync(join(root, 'app/.git'));
  writeFileSync(join(root, 'app/.git/config'), '[core]\n  hooksPath = own');
  expect(named()).toEqual(['own']);
});

test('what the person set for all repositories holds in each work tree of the workspace', () => {
  const own = join(root, 'own.config');
  writeFileSync(own, '[core]\n  hooksPath = .githooks # theirs\n  fsmonitor = "tools/watch" ; too');
  configure('');
  mkdirSync(join(root, '.git/worktrees/wt'), { recursive: true });
  writeFileSync(join(root, '.git/worktrees/wt/gitdir'), `${root}/app/wt/.git\n`);
  mkdirSync(join(root, 'sub/.git'), { recursive: true });
  const named = createNamedByGit(root, { home: '/home/x', configs: [own] });
  const [here, linked] = [
    ['.githooks', 'tools/watch'],
    ['app/wt/.githooks', 'app/wt/tools/watch'],
  ];
  expect(named()).toEqual([...here, ...linked]);
  expect(named(['a', 'sub/deep/b', 'new/.git', 'new/b'])).toEqual([
    ...here,
    ...linked,
    'sub/.githooks',
    'sub/tools/watch',
    'new/.githooks',
    'new/tools/watch',
  ]);
});
