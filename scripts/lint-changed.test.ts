import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Breaks a rule that oxlint can fix. */
const SPREAD = 'export const list = [...[1, 2]];\n';
/** Breaks a rule that needs types. */
const FLOATING = `export const later = Promise.resolve(1);\nlater.then(String);\n`;

test('lint reports what the branch changed, with the rules that need types, and no other file', () => {
  using repository = createRepository({ 'old.ts': FLOATING, 'committed.ts': '' });
  repository.git('checkout', '--quiet', '-b', 'topic');
  expect(repository.lint('lint')).toEqual({ status: 0, named: [] });
  repository.commit({ 'committed.ts': FLOATING });
  repository.write({ 'untracked.ts': FLOATING, 'notes.md': '# Notes\n' });
  expect(repository.lint('lint')).toEqual({ status: 1, named: ['committed.ts', 'untracked.ts'] });
});

test('lint takes the given paths, and every file after a change of the rules', () => {
  using repository = createRepository({ 'old.ts': FLOATING, 'changed.ts': '' });
  repository.write({ 'changed.ts': FLOATING });
  expect(repository.lint('lint', 'old.ts').named).toEqual(['old.ts']);
  repository.write({ '.oxlintrc.json': `${readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')}\n` });
  expect(repository.lint('lint').named).toEqual(['changed.ts', 'old.ts']);
});

test('fix formats and mends what the branch changed, and no other file', () => {
  using repository = createRepository({ 'old.ts': SPREAD });
  repository.write({ 'changed.ts': SPREAD.replace('=', '  =') });
  expect(repository.lint('fix')).toEqual({ status: 0, named: [] });
  expect(['changed.ts', 'old.ts'].map(repository.read)).toEqual(['export const list = [1, 2];\n', SPREAD]);
});

test('lint takes every file in a folder without history', () => {
  using repository = createRepository({ 'old.ts': FLOATING });
  rmSync(join(repository.folder, '.git'), { recursive: true });
  expect(repository.lint('lint').named).toEqual(['old.ts']);
});

function createRepository(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-lint-'));
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: folder });
  git('init', '--quiet', '--initial-branch=main');
  for (const name of ['.oxlintrc.json', '.oxfmtrc.json']) copyFileSync(join(ROOT, name), join(folder, name));
  commit({ ...files, 'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }' });
  return { folder, git, write, commit, read, lint, [Symbol.dispose]: remove };

  function write(texts: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  }
  function commit(texts: Readonly<Record<string, string>>): void {
    write(texts);
    git('add', '.');
    git('-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', 'commit', '--quiet', '--message=Change');
  }
  function read(name: string): string {
    return readFileSync(join(folder, name), 'utf8');
  }
  function remove(): void {
    rmSync(folder, { recursive: true });
  }
  /** The exit code, and the files with a finding. */
  function lint(...args: readonly string[]): Readonly<{ status: number | null; named: readonly string[] }> {
    const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/lint-changed.ts'), ...args], {
      cwd: folder,
      env: { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}` },
      encoding: 'utf8',
    });
    const named = stripVTControlCharacters(stdout)
      .matchAll(/([\w.-]+\.ts):\d+:\d+/g)
      .map(([, name]) => name ?? '');
    return { status, named: [...new Set(named)].toSorted() };
  }
}
