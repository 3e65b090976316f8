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

test('a missing program is named, and other words of its line are not', () => {
  configure(`[diff "x"]
    textconv = sh tools/tc.sh
[filter "x"]
    clean = node clean.js --all %f
    smudge = git-lfs smudge -- %f
[alias]
    t = !npm test`);
  expect(createNamedByGit(root, { home: '/home/x' })()).toEqual(['tools/tc.sh', 'clean.js']);
});

test('~ is the home of the user', () => {
  configure('[core]\n  hooksPath = ~/app/hooks\n  fsmonitor = ~/app/watch');
  expect(createNamedByGit(join(root, 'app'), { home: root })()).toEqual(['hooks', 'watch']);
});

test('a workspace below the repository uses its configuration, and its own once it has one', () => {
  configure('[core]\n  hooksPath = app/hooks\n[diff "x"]\n  textconv = tools/tc.sh');
  const named = createNamedByGit(join(root, 'app'), { home: '/home/x' });
  expect(named()).toEqual(['hooks']);
  mkdirSync(join(root, 'app/.git'));
  writeFileSync(join(root, 'app/.git/config'), '[core]\n  hooksPath = own');
  expect(named()).toEqual(['own']);
});

test('the user’s global settings apply to each work tree of the workspace', () => {
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

test.each([
  ['gpg "ssh"', 'defaultKeyCommand', 'sh tools/x'],
  ['tar "tar.xz"', 'command', 'tools/x -c'],
  ['difftool "x"', 'path', 'tools/x'],
  ['mergetool "x"', 'path', 'tools/x'],
  ['sendemail', 'ccCmd', 'tools/x'],
  ['sendemail "work"', 'toCmd', 'tools/x'],
  ['sendemail', 'headerCmd', 'tools/x'],
  ['sendemail', 'sendmailCmd', 'tools/x'],
  ['sendemail', 'smtpServer', '~/tools/x'],
  ['imap', 'tunnel', 'tools/x'],
  ['browser "x"', 'cmd', 'tools/x'],
  ['browser "x"', 'path', 'tools/x'],
  ['guitool "x"', 'cmd', 'tools/x'],
  ['man "x"', 'cmd', 'tools/x'],
  ['man "x"', 'path', 'tools/x'],
  ['hook "x"', 'command', 'tools/x'],
  ['core', 'excludesFile', 'tools/x'],
  ['remote "x"', 'uploadpack', 'tools/x'],
  ['gc', 'recentObjectsHook', 'tools/x'],
  ['lfs "customtransfer.x"', 'path', 'tools/x'],
  ['lfs "extension.x"', 'smudge', 'tools/x'],
  ['remote "x"', 'receivepack', 'tools/x'],
  ['submodule "x"', 'update', '!tools/x'],
  ['init', 'templateDir', 'tools/x'],
])('the user’s own [%s] %s = %s names tools/x', (section, key, value) => {
  const own = join(root, 'own.config');
  writeFileSync(own, `[${section}]\n  ${key} = ${value}\n`);
  expect(createNamedByGit(root, { home: root, configs: [own] })()).toEqual(['tools/x']);
});

test('a value that names no program of the workspace is not guarded, even if a folder has that name', () => {
  mkdirSync(join(root, 'merge'));
  configure('[submodule "x"]\n  update = merge\n[core]\n  excludesFile = .gitignore');
  expect(createNamedByGit(root, { home: '/home/x' })()).toEqual([]);
});

test('a path with blanks, certificates, and programs in addresses are named', () => {
  configure(`[browser "x"]
    path = my tools/browse
[http "https://a.test"]
    sslCAInfo = certs/ca.pem
[url "ext::sh -c tools/fetch.sh"]
    insteadOf = https://a.test
[remote "b"]
    url = ext::tools/b.sh %S
[remote "c"]
    url = ../c`);
  expect(createNamedByGit(root, { home: '/home/x' })()).toEqual([
    'my tools/browse',
    'certs/ca.pem',
    'tools/fetch.sh',
    'tools/b.sh',
  ]);
});
