import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostGit, LAYERS } from '../../testing/host-git.ts';
import { createTestWorkspace, openTestRuntime } from '../../testing/open-test-runtime.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

describe.each(LAYERS)('git keeps working in the layer %s', (layer, settings) => {
  test.for([
    [
      'a commit, a branch, a tag and a stash',
      'echo b > a.txt; git stash -q; git stash pop -q; git commit -qam b; git branch x; git tag t',
    ],
    [
      'a rebase and a merge',
      'git checkout -q -b x; echo x > x; git add x; git commit -qm x; git checkout -q main; git commit -q --allow-empty -m y; git rebase -q x; git merge -q x',
    ],
    ['gc and packed refs', 'git commit -q --allow-empty -m y; git gc -q; git pack-refs --all'],
    [
      'a linked work tree, made, used and removed',
      'git worktree add -q wt -b wt; cd wt; echo b > b; git add b; git commit -qm b; cd ..; git worktree remove wt',
    ],
    ['a linked work tree that stays', 'git worktree add -q wt -b wt'],
    [
      'a new repository',
      'git init -q n; cd n; git remote add origin https://example.com/a.git; git commit -q --allow-empty -m x',
    ],
    ['a clone', 'git clone -q . c'],
    [
      'a bisect',
      'git commit -q --allow-empty -m y; git bisect start; git bisect bad; git bisect good HEAD~1; git bisect reset',
    ],
    [
      'notes and a cherry-pick',
      'git notes add -m n; git checkout -q -b x; git commit -q --allow-empty -m y; git checkout -q main; git cherry-pick --allow-empty x',
    ],
    [
      'a switch, a rebase of several, a stash of several files and its pop',
      'git switch -q -c s; echo b > b; git add b; echo c >> a.txt; git stash -q; git stash pop -q; git commit -qam s; git switch -q main; git commit -q --allow-empty -m y; git switch -q s; git rebase -q main',
    ],
  ] as const)('%s, unasked', async ([, script]) => {
    await using own = await openTestRuntime({
      settings: { ...FREE, ...settings },
      files: { 'a.txt': 'a\n', '.gitignore': '.signalbox\n' },
    });
    writeFileSync(join(own.workspace, 'x.sh'), `set -e\n${script}\n`);
    const done = await Promise.race([
      own.call('openai', 'bash', { line: 'bash x.sh' }),
      own.event('approval_requested').then(({ reason }) => reason),
    ]);
    expect(done).toMatchObject({ success: true, isolation: { layer } });
  });

  test('settings of a work tree and a sparse checkout are kept, and new work trees get them (claude-code#80278)', async () => {
    const workspace = createTestWorkspace({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n', 'x.sh': SPARSE });
    hostGit(workspace, 'config', 'extensions.worktreeConfig', 'true');
    hostGit(workspace, 'sparse-checkout', 'set', 'sub');
    const config = readFileSync(join(workspace, '.git/config.worktree'), 'utf8');
    expect(config).toContain('sparseCheckout = true');
    await using own = await openTestRuntime({ settings: { ...FREE, ...settings }, workspace });
    const done = await own.call('openai', 'bash', { line: 'bash x.sh' });
    expect(done).toMatchObject({ success: true, content: expect.stringContaining('sub\nsub\n') });
    expect(own.read('.git/config.worktree')).toBe(config);
    expect(hostGit(join(workspace, 'wt'), 'sparse-checkout', 'list')).toBe('sub\n');
  });
});

const SPARSE =
  'set -e; git sparse-checkout list; git worktree add -q wt -b wt; cd wt; git sparse-checkout list; git switch -q -c more; git status\n';
