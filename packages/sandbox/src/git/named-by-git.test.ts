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
  expect(createNamedByGit(root, '/home/x')()).toEqual(['tools/tc.sh', 'clean.js']);
});

test('~ is the home of the person', () => {
  configure('[core]\n  hooksPath = ~/app/hooks\n  fsmonitor = ~/app/watch');
  expect(createNamedByGit(join(root, 'app'), root)()).toEqual(['hooks', 'watch']);
});

test('a workspace below the repository reads what that names in it, and its own once it has one', () => {
  configure('[core]\n  hooksPath = app/hooks\n[diff "x"]\n  textconv = tools/tc.sh');
  const named = createNamedByGit(join(root, 'app'), '/home/x');
  expect(named()).toEqual(['hooks']);
  mkdirSync(join(root, 'app/.git'));
  writeFileSync(join(root, 'app/.git/config'), '[core]\n  hooksPath = own');
  expect(named()).toEqual(['own']);
});
