import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorkspace, openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const LARGE = 'same\n'.repeat(100_000);

/** In the workspace itself; branch `topic` changes, adds and removes files that the user's programs read. */
async function open(): Promise<TestRuntime> {
  const workspace = createTestWorkspace({
    'CLAUDE.md': 'of main\n',
    '.vscode/tasks.json': '{"of":"main"}\n',
    'gone/.envrc': 'of main\n',
    '.claude/hooks/a.sh': 'of main\n',
    'AGENTS.md': LARGE,
    'write.sh': 'echo evil > CLAUDE.md; rm AGENTS.md\n',
    'a.txt': 'main\n',
  });
  const git = (...args: string[]): void => void spawnSync('git', args, { cwd: workspace });
  git('switch', '-q', '-c', 'topic');
  for (const [path, text] of [
    ['CLAUDE.md', 'of topic\n'],
    ['.vscode/tasks.json', '{"of":"topic"}\n'],
    ['.mcp.json', '{"of":"topic"}\n'],
    ['a.txt', 'topic\n'],
  ] as const)
    writeFileSync(join(workspace, path), text);
  git('rm', '-q', '-r', 'gone', '.claude');
  git('add', '.');
  git('commit', '-q', '-m', 'topic');
  git('switch', '-q', 'main');
  return openTestRuntime({
    workspace,
    settings: { tools: { shell: { transactional: false } }, approval: { approval_mode: 'allow_all' } },
  });
}

const NAMES = ['CLAUDE.md', '.vscode/tasks.json', '.mcp.json', 'gone/.envrc', '.claude/hooks/a.sh', 'a.txt'];

test.for(['git checkout -q topic', 'git switch -q topic', 'git merge -q topic'])(
  'in the workspace itself git creates and removes files that other programs read, without other changes: %s',
  async (line) => {
    await using own = await open();
    const stands = (): (string | null)[] =>
      NAMES.map((name) => (existsSync(join(own.workspace, name)) ? own.read(name) : null));
    const before = stands();
    expect(await own.call('openai', 'bash', { line })).toMatchObject({ success: true });
    expect(stands()).toEqual(['of topic\n', '{"of":"topic"}\n', '{"of":"topic"}\n', null, null, 'topic\n']);
    expect((await own.call('openai', 'bash', { line: 'git status --short' })).stdout).toBe('');
    if (line !== 'git checkout -q topic') return;
    expect(await own.call('openai', 'bash', { line: 'git checkout -q main' })).toMatchObject({
      success: true,
    });
    expect(stands()).toEqual(before);
  },
);

test('changes of such files by a script next to a checkout are reverted, and the call fails', async () => {
  await using own = await open();
  const result = await own.call('openai', 'bash', { line: 'git checkout -q topic && bash write.sh' });
  expect(result).toMatchObject({ success: false, failure: { code: 'quarantined' } });
  expect(result.failure?.why).toEqual([
    expect.stringMatching(/^AGENTS\.md .*restored/),
    expect.stringMatching(/^CLAUDE\.md .*restored/),
  ]);
  expect([own.read('AGENTS.md'), own.read('CLAUDE.md'), own.read('.mcp.json')]).toEqual([
    LARGE,
    'of main\n',
    '{"of":"topic"}\n',
  ]);
});
