import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestWorkspace, openTestHouse, type TestHouse } from './testing/open-test-house.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;
const MADE = [
  '.claude/settings.json',
  '.mcp.json',
  'sub/.mcp.json',
  '.vscode/tasks.json',
  '.envrc',
  '.husky/pre-commit',
  'tools/hooks/pre-commit',
  '.gitconfig',
  'AGENTS.md',
  '.github/workflows/ci.yml',
  '.npmrc',
  'sub/conftest.py',
];
/** A script that makes all of them, and one that nobody reads. */
const WRITES = [...MADE, 'src/a.ts']
  .map((path) => `mkdir -p "$(dirname ${path})"; echo x > ${path}`)
  .join('\n');
const stands = (own: TestHouse, path: string): boolean => existsSync(join(own.workspace, path));

describe('such files that a script makes on the workspace itself', () => {
  const BIND = { ...FREE, tools: { shell: { transactional: false } } };

  test('are moved to the quarantine, the call fails and names them, and what else it made stays', async () => {
    await using own = await openTestHouse({
      settings: BIND,
      files: {
        'x.sh': `${WRITES}\n`,
      },
    });
    execFileSync('git', ['config', 'core.hooksPath', 'tools/hooks'], { cwd: own.workspace });
    execFileSync('git', ['config', 'include.path', '../.gitconfig'], { cwd: own.workspace });
    const done = await own.call('openai', 'bash', { line: 'sh x.sh' });
    expect(done).toMatchObject({
      success: false,
      failure: { code: 'quarantined' },
      isolation: { layer: 'bind' },
    });
    const why = done.failure?.why ?? [];
    expect(why.map((line) => line.replace(/ \(.*/, '')).toSorted()).toEqual(MADE.toSorted());
    expect(MADE.filter((path) => stands(own, path))).toEqual([]);
    expect(stands(own, 'src/a.ts')).toBe(true);
    const [, kept = ''] = /moved to (\S+)/.exec(why[0] ?? '') ?? [];
    expect(own.read(kept)).toBe('x\n');
    expect(own.auditLines()).toHaveLength(1);
  });

  test('stay where a commit from before the session holds them, and nowhere else', async () => {
    const workspace = createTestWorkspace({ 'a.txt': 'a\n' });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workspace });
    git('checkout', '-q', '-b', 'other');
    writeFileSync(join(workspace, '.mcp.json'), '{}\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'two');
    git('checkout', '-q', 'main');
    await using own = await openTestHouse({ settings: BIND, workspace });
    writeFileSync(
      join(workspace, 'x.sh'),
      'git checkout -q other -- .mcp.json && git worktree add -q wt other && test -e wt/.mcp.json',
    );
    expect(await own.call('openai', 'bash', { line: 'sh x.sh' })).toMatchObject({ success: true });
    expect([stands(own, '.mcp.json'), stands(own, 'wt/.mcp.json')]).toEqual([true, true]);
    writeFileSync(
      join(workspace, 'y.sh'),
      `cd wt; git checkout -q -b evil; mkdir .zed; echo evil > .zed/tasks.json; git add .; git commit -q -m evil; rm -r .zed`,
    );
    await own.call('openai', 'bash', { line: 'sh y.sh' });
    writeFileSync(join(workspace, 'z.sh'), 'git checkout evil -- .zed/tasks.json');
    expect(await own.call('openai', 'bash', { line: 'sh z.sh' })).toMatchObject({ success: false });
    expect(stands(own, '.zed/tasks.json')).toBe(false);
  });
});
