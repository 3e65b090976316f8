import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFiles } from './changed-files.ts';

test('changedFiles() lists what a branch committed, what is edited, and what is untracked', () => {
  using folder = temporaryFolder();
  const { git, write } = folder;
  git('init', '--quiet', '--initial-branch=main');
  for (const name of ['same.ts', 'edited.ts', 'deleted.ts', 'renamed.ts', 'committed.ts']) write(name, name);
  write('.gitignore', 'ignored.ts\n');
  commit();
  git('checkout', '--quiet', '-b', 'topic');
  write('committed.ts', 'changed');
  commit();
  git('mv', 'renamed.ts', 'new name.ts');
  git('rm', '--quiet', 'deleted.ts');
  for (const name of ['edited.ts', 'untracked.ts', 'ignored.ts']) write(name, 'changed');

  expect(changedFiles(folder.path)?.toSorted()).toEqual([
    'committed.ts',
    'edited.ts',
    'new name.ts',
    'untracked.ts',
  ]);

  function commit(): void {
    git('add', '.');
    git('-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', 'commit', '--quiet', '--message=Change');
  }
});

test('changedFiles() compares with the last commit where there is no main branch', () => {
  using folder = temporaryFolder();
  folder.git('init', '--quiet', '--initial-branch=trunk');
  const start = '-c user.name=Ana -c user.email=ana@example.com commit --quiet --allow-empty --message=Start';
  folder.git(...start.split(' '));
  folder.write('untracked.ts', '');
  expect(changedFiles(folder.path)).toEqual(['untracked.ts']);
});

test('changedFiles() is null outside of a repository', () => {
  using folder = temporaryFolder();
  expect(changedFiles(folder.path)).toBe(null);
});

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-changed-'));
  return {
    path,
    git: (...args: string[]): void => void execFileSync('git', args, { cwd: path }),
    write: (name: string, text: string) => writeFileSync(join(path, name), text),
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}
