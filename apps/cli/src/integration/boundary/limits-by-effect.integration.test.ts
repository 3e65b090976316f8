import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { NOTES_SERVER, notesServerFiles } from '../../commands/agents/testing/notes-server.ts';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const LONG = 'x'.repeat(1024 ** 2);
const FILES = {
  'a.txt': 'a\n',
  'full.txt': LONG,
  'long.txt': `${LONG}${LONG}`,
  'big.sh': 'echo y > small.txt; head -c 1500000 /dev/zero > big.bin',
  'commit.sh': 'git commit -q --allow-empty -m unseen',
  'small.sh': 'echo y >> b.txt',
};
const limited = (tool: string, settings: object) => ({ tools: { [tool]: settings } });
const ONE = { max_file_size_mb: 1 };

async function ended(own: TestRuntime, tool: string, args: Record<string, unknown>) {
  const { success, outcome } = await own.call('openai', tool, args);
  return success ? 'done' : JSON.stringify('failure' in outcome ? outcome.failure : outcome);
}
const over = (tool: string): RegExp => new RegExp(`limit of 1 MiB \\(tools\\.${tool}\\.max_file_size_mb\\)`);

test('max_file_size_mb of read_file is the size of the file on disk (S000-45)', async () => {
  await using own = await openTestRuntime({ files: FILES, settings: limited('read_file', ONE) });
  expect(await ended(own, 'read_file', { path: 'long.txt' })).toMatch(over('read_file'));
  expect(await ended(own, 'read_file', { path: 'long.txt', lastLine: 1 })).toMatch(over('read_file'));
  expect(await ended(own, 'read_file', { path: 'full.txt' })).toBe('done');
});

test('max_file_size_mb of write_file is the size of the text after an edit (S000-45) (setting: tools.*.max_file_size_mb)', async () => {
  await using own = await openTestRuntime({ files: FILES, settings: limited('write_file', ONE) });
  for (const path of ['full.txt', 'a.txt']) await own.call('openai', 'read_file', { path });
  const grow = { path: 'full.txt', oldText: LONG, newText: `${LONG}y` };
  expect(await ended(own, 'edit_file', grow)).toContain('1 MiB');
  const doubled = { path: 'a.txt', oldText: 'a', newText: 'x'.repeat(900_000) };
  expect(await ended(own, 'edit_file', doubled)).toBe('done');
  const again = { path: 'a.txt', oldText: '\n', newText: 'x'.repeat(200_000) };
  expect(await ended(own, 'edit_file', again)).toMatch(over('write_file'));
  expect([statSync(join(own.workspace, 'full.txt')).size, own.read('a.txt').length]).toEqual([
    1024 ** 2,
    900_001,
  ]);
});

test.for(['write_file', 'bash'])(
  'max_file_size_mb of %s applies to commits of lines and scripts, all or nothing (S000-45)',
  async (tool) => {
    await using own = await openTestRuntime({ files: FILES, settings: limited(tool, ONE) });
    for (const line of ['bash big.sh', 'cat full.txt a.txt > big.bin', 'cat a.txt >> full.txt'])
      expect(await ended(own, 'bash', { line })).toMatch(over(tool));
    expect(['small.txt', 'big.bin'].map((path) => existsSync(join(own.workspace, path)))).toEqual([
      false,
      false,
    ]);
    // Files it creates and removes again, and files that were long before, don't count.
    const quiet = 'bash big.sh; rm big.bin; chmod +x long.txt';
    expect(await ended(own, 'bash', { line: quiet })).toBe('done');
  },
);

test('max_file_size_mb of write_file applies to what a test run commits', async () => {
  const settings = { ...limited('write_file', ONE), tests: 'bash big.sh' };
  await using own = await openTestRuntime({ files: FILES, settings });
  expect(await ended(own, 'run_tests', {})).toMatch(over('write_file'));
});

test('a writing MCP server’s program is held to the size of write_file by a resource limit', async () => {
  const settings = {
    ...limited('write_file', { max_file_size_mb: 0.5 }),
    agents: { tool_execution: { auto_approve_tools: ['mcp__notes__*'] } },
    mcp_servers: { notes: { ...NOTES_SERVER, workspace: 'write' } },
  };
  await using own = await openTestRuntime({ files: { ...FILES, ...(await notesServerFiles()) }, settings });
  const names = (): string[] => own.runtime.coordinator.tools.list().map(({ name }) => name);
  await vi.waitFor(() => expect(names()).toContain('mcp__notes__echo'), 20_000);
  expect(await ended(own, 'mcp__notes__echo', { text: LONG.slice(0, 900_000) })).toContain(
    'limit of write_file is 0.5 MiB',
  );
  expect(await ended(own, 'mcp__notes__echo', { text: LONG.slice(0, 1024 * 512) })).toBe('done');
});

test('rate_limit_per_hour of write_file and git_commit counts writes and commits by any tool (S000-24) (setting: tools.*.rate_limit_per_hour)', async () => {
  const settings = {
    tools: { write_file: { rate_limit_per_hour: 4 }, git_commit: { rate_limit_per_hour: 2 } },
  };
  await using own = await openTestRuntime({ files: FILES, settings });
  const line = (text: string): Promise<string> => ended(own, 'bash', { line: text });
  await own.call('openai', 'read_file', { path: 'a.txt' });
  expect(await line('echo 1 > one')).toBe('done');
  expect(await line('cat a.txt')).toBe('done');
  expect(await line('bash small.sh')).toBe('done');
  expect(await ended(own, 'write_file', { path: 'two', content: '2' })).toBe('done');
  expect(await ended(own, 'edit_file', { path: 'a.txt', oldText: 'a', newText: 'b' })).toBe('done');
  const full = 'write_file may be called 4 times an hour';
  expect(await line('echo 3 > three')).toContain(full);
  expect(await line('bash small.sh')).toContain(full);
  expect(await ended(own, 'write_file', { path: 'three', content: '3' })).toContain(full);
  expect(await line('cat a.txt')).toBe('done');
  expect([existsSync(join(own.workspace, 'three')), own.read('b.txt')]).toEqual([false, 'y\n']);

  const head = (): string => readFileSync(join(own.workspace, '.git/refs/heads/main'), 'utf8');
  expect(await line('git commit -q --allow-empty -m said')).toBe('done');
  expect(await line('bash commit.sh')).toBe('done');
  const before = head();
  expect(await line('git commit -q --allow-empty -m more')).toContain('git_commit may be called 2 times');
  expect(await line('bash commit.sh')).toContain('git_commit may be called 2 times');
  expect(head()).toBe(before);
});
