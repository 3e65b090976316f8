import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CallHash } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { createTestWorkspace, openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

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
  'inner/.signalbox/redis.json',
];
/** A script that creates all of them, and one that no program reads. */
const WRITES = [...MADE, 'src/a.ts']
  .map((path) => `mkdir -p "$(dirname ${path})"; echo x > ${path}`)
  .join('\n');
const exists = (own: TestRuntime, path: string): boolean => existsSync(join(own.workspace, path));

describe('such files that a script creates in the workspace itself', () => {
  const BIND = { ...FREE, tools: { shell: { transactional: false } } };

  test('are moved to the quarantine, the call fails and names them, and its other files stay', async () => {
    await using own = await openTestRuntime({
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
    expect(MADE.filter((path) => exists(own, path))).toEqual([]);
    expect(exists(own, 'src/a.ts')).toBe(true);
    const [, kept = ''] = /moved to (\S+)/.exec(why[0] ?? '') ?? [];
    expect(own.read(kept)).toBe('x\n');
    expect(own.auditLines()).toHaveLength(1);
  });

  test('stay if a commit from before the session contains them, and only there', async () => {
    const workspace = createTestWorkspace({ 'a.txt': 'a\n' });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workspace });
    git('checkout', '-q', '-b', 'other');
    writeFileSync(join(workspace, '.mcp.json'), '{}\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'two');
    git('checkout', '-q', 'main');
    await using own = await openTestRuntime({ settings: BIND, workspace });
    writeFileSync(
      join(workspace, 'x.sh'),
      'git checkout -q other -- .mcp.json && git worktree add -q wt other && test -e wt/.mcp.json',
    );
    expect(await own.call('openai', 'bash', { line: 'sh x.sh' })).toMatchObject({ success: true });
    expect([exists(own, '.mcp.json'), exists(own, 'wt/.mcp.json')]).toEqual([true, true]);
    writeFileSync(
      join(workspace, 'y.sh'),
      `cd wt; git checkout -q -b evil; mkdir .zed; echo evil > .zed/tasks.json; git add .; git commit -q -m evil; rm -r .zed`,
    );
    await own.call('openai', 'bash', { line: 'sh y.sh' });
    writeFileSync(join(workspace, 'z.sh'), 'git checkout evil -- .zed/tasks.json');
    expect(await own.call('openai', 'bash', { line: 'sh z.sh' })).toMatchObject({ success: false });
    expect(exists(own, '.zed/tasks.json')).toBe(false);
  });

  test.for([
    [
      'a file below a folder that is moved',
      'mv sub node_modules/x; mkdir sub; echo two > sub/.mcp.json',
      'sub/.mcp.json',
    ],
    ['a link', 'rm CLAUDE.md; echo two > CLAUDE.md', 'CLAUDE.md'],
    [
      'what a link leads to',
      'mv docs node_modules/x; mkdir docs; echo two > docs/agents.md',
      'docs/agents.md',
    ],
    ['a file with a second name', 'echo two > node_modules/second', '.npmrc'],
    ['an installed program', 'echo two > node_modules/.bin/tsc', 'node_modules/.bin/tsc'],
    ['what Python runs', 'echo two > .venv/lib/x.pth', '.venv/lib/x.pth'],
    ['a file in a folder that the call names', 'echo two > folder/.envrc', 'folder/.envrc'],
    [
      'attributes of git',
      'mv .git/info .git/logs/i; mkdir .git/info; echo two > .git/info/attributes',
      '.git/info/attributes',
    ],
  ])('%s replaced by a script is restored, and the call fails (R-D)', async ([, script = '', path = '']) => {
    const files = {
      'sub/.mcp.json': 'one\n',
      'docs/agents.md': 'one\n',
      '.npmrc': 'one\n',
      'node_modules/.bin/tsc': 'one\n',
      '.venv/lib/x.pth': 'one\n',
      'folder/.envrc': 'one\n',
      'x.sh': `${script}\n`,
    };
    await using own = await openTestRuntime({ settings: BIND, files });
    const at = (name: string): string => join(own.workspace, name);
    symlinkSync('docs/agents.md', at('CLAUDE.md'));
    linkSync(at('.npmrc'), at('node_modules/second'));
    mkdirSync(at('.git/logs'), { recursive: true });
    mkdirSync(at('.git/info'), { recursive: true });
    writeFileSync(at('.git/info/attributes'), 'one\n');
    const done = await own.call('openai', 'bash', { line: 'mkdir -p folder; sh x.sh' });
    expect(done).toMatchObject({ success: false, isolation: { layer: 'bind' } });
    expect(readFileSync(at(path), 'utf8')).toBe('one\n');
    expect(readlinkSync(at('CLAUDE.md'))).toBe('docs/agents.md');
    expect(JSON.stringify(done)).toContain(path);
  });

  test('approval of one file of a folder does not cover its others', async () => {
    const files = {
      '.claude/a.md': 'one\n',
      '.claude/settings.json': 'one\n',
      'x.sh': 'echo two > .claude/settings.json\necho two > .claude/new.json\n',
    };
    await using own = await openTestRuntime({ settings: BIND, files });
    const { commandId, result } = own.submit('openai', 'bash', {
      args: { line: 'echo two > .claude/a.md; sh x.sh' },
    });
    await own.event('approval_requested', (event) => event.commandId === commandId);
    const shown = (await own.runtime.store.get(commandId))?.approval?.callHash ?? '';
    const ana = { name: 'ana', channel: 'test' } as const;
    await own.runtime.coordinator.approvals.answer(
      commandId,
      { kind: 'approve' },
      { by: ana, expect: CallHash.parse(shown) },
    );
    const done = await result;
    expect(done).toMatchObject({ success: false, failure: { code: 'quarantined' } });
    expect(['a.md', 'settings.json'].map((name) => own.read(`.claude/${name}`))).toEqual(['two\n', 'one\n']);
    expect(exists(own, '.claude/new.json')).toBe(false);
  });
});
