import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostGit } from '../../testing/host-git.ts';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const ALLOWED = { approval: { approval_mode: 'allow_all' } } as const;
const IN_PLACE = { ...ALLOWED, tools: { shell: { transactional: false, snapshot_required: false } } };
const SECRETS = { '.env': 'KEY=first\n', 'app/secrets/key.txt': 'first\n' };
const FILES = { ...SECRETS, '.gitignore': '.signalbox\nx.sh\n', 'a.txt': 'one\n', 'gone.txt': 'x\n' };

/** The repository as the user sees it afterwards. */
function seen({ workspace }: TestRuntime): Record<string, unknown> {
  const git = (...args: readonly string[]): string => hostGit(workspace, ...args);
  return {
    content: Object.keys(SECRETS).map((path) => readFileSync(join(workspace, path), 'utf8')),
    listed: git('ls-tree', '-r', '--name-only', 'HEAD', '--', ...Object.keys(SECRETS)).split('\n'),
    status: git('status', '--porcelain', '--untracked-files=no'),
    // Upper case: git checks the file; `S` or lower case: it does not.
    marks: git('ls-files', '-v', '--', ...Object.keys(SECRETS)),
  };
}

const UNTOUCHED = {
  content: Object.values(SECRETS),
  listed: [...Object.keys(SECRETS), ''],
  status: '',
  marks: Object.keys(SECRETS)
    .map((path) => `H ${path}\n`)
    .join(''),
};

/** All commit what was changed, created and deleted. */
const WAYS = [
  'git add -A; git commit -qm all',
  'git add . && git commit -qam all',
  'git add new* && git commit -qam all',
  'git add -A && git commit -qm all -- .',
  'git stash -qu && git stash pop -q && git add -A && git commit -qm all',
  'git add -A && git commit -qm all && git reset -q --hard HEAD',
  'git add -A && git switch -qc other && git commit -qm all && git switch -q main && git merge -q other',
  'git update-index --index-version 4; git add -A && git commit -qm all',
];

describe('for a tracked file hidden by policy, git in a command', () => {
  test('keeps it on disk and in the commit, however everything else is committed', async () => {
    const gone = Array.from({ length: WAYS.length }, (_, at) => [`gone${at}.txt`, 'x\n'] as const);
    await using own = await openTestRuntime({
      settings: ALLOWED,
      files: { ...FILES, ...Object.fromEntries(gone) },
    });
    for (const [at, way] of WAYS.entries()) {
      const script = `set -e; echo ${at} > a.txt; echo new > new${at}.txt; rm gone${at}.txt; ${way}`;
      writeFileSync(join(own.workspace, 'x.sh'), script);
      hostGit(own.workspace, 'tag', '-f', 'start');
      const done = await own.call('openai', 'bash', { line: 'bash x.sh' });
      expect([way, done.outcome.kind, done.content]).toEqual([way, 'completed', done.content]);
      expect([way, seen(own)]).toEqual([way, UNTOUCHED]);
      const shown = hostGit(own.workspace, 'diff', '--name-status', 'start', 'HEAD').trim();
      const changed = [`M\ta.txt`, `D\tgone${at}.txt`, `A\tnew${at}.txt`];
      expect(shown.split('\n')).toEqual(changed);
    }
  });

  test('shows it as unchanged, and leaves the user’s changes in it uncommitted', async () => {
    await using own = await openTestRuntime({ settings: ALLOWED, files: FILES });
    writeFileSync(join(own.workspace, '.env'), 'KEY=second\n');
    const status = await own.call('openai', 'bash', { line: 'git status --porcelain; echo two > a.txt' });
    expect([status.stdout, status.git]).toEqual(['', undefined]);
    const done = await own.call('openai', 'bash', { line: 'git commit -qam all' });
    expect(done.outcome.kind).toBe('completed');
    expect(seen(own)).toMatchObject({ status: ' M .env\n', marks: UNTOUCHED.marks });

    rmSync(join(own.workspace, '.env'));
    await own.call('openai', 'bash', { line: 'git add -A && git commit -qm all' });
    expect(hostGit(own.workspace, 'show', '--format=', '--name-status', 'HEAD')).toBe('D\t.env\n');
  });

  test('keeps it in git tools', async () => {
    await using own = await openTestRuntime({ settings: ALLOWED, files: FILES });
    writeFileSync(join(own.workspace, 'a.txt'), 'two\n');
    for (const [tool, args] of [
      ['git_add', { paths: ['.'] }],
      ['git_commit', { message: 'all' }],
      ['git_commit', { message: 'all', paths: ['.'] }],
    ] as const) {
      const done = await own.call('openai', tool, args);
      expect([done.outcome.kind, done.content]).toEqual(['completed', done.content]);
      expect(hostGit(own.workspace, 'ls-files', '-s', '--', '.env')).toContain('.env');
      writeFileSync(join(own.workspace, 'a.txt'), 'three\n');
    }
    expect(seen(own)).toEqual(UNTOUCHED);
  });

  test('is refused with a reason when it loses the file all the same', async () => {
    await using own = await openTestRuntime({ settings: ALLOWED, files: FILES });
    for (const line of [
      'git rm -q --cached --sparse "$N"',
      'git update-index --force-remove "$N"',
      'git update-index --no-skip-worktree "$N" && git rm -q --cached "$N"',
      'git update-index --split-index',
    ]) {
      const done = await own.call('openai', 'bash', { line: `N=$(echo .e)nv; echo two > a.txt; ${line}` });
      expect([line, done.outcome.kind, done.content]).toEqual([line, 'failed', done.content]);
      expect(done.content).toMatch(/hidden from commands by policy|files are hidden from commands/);
      expect(seen(own)).toEqual(UNTOUCHED);
    }
  });

  test('fails in place, and the index is restored', async () => {
    await using own = await openTestRuntime({ settings: IN_PLACE, files: FILES });
    const done = await own.call('openai', 'bash', {
      line: 'echo two > a.txt; git add -A; git add -u; git commit -qam x; git rm -q --cached .en*',
    });
    expect(done.isolation?.layer).toBe('bind');
    expect(done.content).toContain('hidden from commands by policy');
    expect(seen(own)).toEqual({ ...UNTOUCHED, status: ' M a.txt\n' });
  });
});
