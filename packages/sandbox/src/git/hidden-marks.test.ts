import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withMarks, withoutMarks } from './hidden-marks.ts';

const SHARED = ['deep/one/secret', 'deep/one/secretary', 'plain'];

function repository(...init: readonly string[]): { git: (...args: string[]) => string; index: string } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-marks-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]): string => {
    const done = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
    return done.stdout;
  };
  git('init', '-q', ...init);
  mkdirSync(join(folder, 'deep/one'), { recursive: true });
  for (const path of SHARED) writeFileSync(join(folder, path), path);
  git('add', '.');
  return { git, index: join(folder, '.git/index') };
}

describe('marks of hidden files in an index', () => {
  test.each([
    ['2', []],
    ['4', []],
    ['2', ['--object-format=sha256']],
  ] as const)('are understood by git in version %s (%j), and removed without a trace', (version, init) => {
    const { git, index } = repository(...init);
    git('update-index', '--index-version', version);
    const before = readFileSync(index);
    const listed = git('ls-files', '-v', '-s');
    const marked = withMarks(before, (path) => path === 'deep/one/secret');
    if (marked === null) throw new Error('nothing was marked');
    writeFileSync(index, marked.index);
    // `s`: both marks.
    expect(git('ls-files', '-v')).toBe('s deep/one/secret\nH deep/one/secretary\nH plain\n');
    git('fsck');
    expect(withoutMarks(marked.index, marked.before)?.equals(before)).toBe(true);
    git('rm', '-q', '--cached', 'plain');
    const own = withoutMarks(readFileSync(index), marked.before);
    writeFileSync(index, own ?? '');
    expect(git('ls-files', '-v', '-s')).toBe(listed.replace(/H.*plain\n/, ''));
  });

  test('keep marks of the user', () => {
    const { git, index } = repository();
    git('update-index', '--assume-unchanged', 'plain');
    git('update-index', '--skip-worktree', 'deep/one/secret');
    const before = readFileSync(index);
    const marked = withMarks(before, () => true);
    expect(withoutMarks(marked?.index ?? before, marked?.before ?? new Map())?.equals(before)).toBe(true);
  });

  test('are not added to a truncated, corrupt or split index', () => {
    const { git, index } = repository();
    const whole = readFileSync(index);
    const changed = Buffer.from(whole);
    changed[20] = 1;
    for (const bad of [whole.subarray(0, -1), changed, Buffer.alloc(0)]) {
      expect(withMarks(bad, () => true)).toBe(null);
    }
    git('update-index', '--split-index');
    expect(withMarks(readFileSync(index), () => true)).toBe(null);
  });
});
