import { expect, test } from 'vitest';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('no limit of a repository is looser than the default (R-B5)', async () => {
  const loose = {
    sandbox: {
      resource_limits: {
        max_memory_mb: 999_999,
        max_written_mb: 999_999,
        max_written_files: 9_999_999,
        max_file_mb: 9999,
        max_processes: 99_999,
        max_open_files: 99_999,
        max_cpu_percent: 100,
        timeout_ms: '9h',
      },
    },
    tools: { bash: { timeout: '9h' }, max_tool_calls_per_session: null },
    agents: { tool_execution: { max_iterations: 9999 } },
  };
  const { signalbox } = createTestTerminal(ownWorkspace({ 'signalbox.yaml': JSON.stringify(loose) }));
  const without = await createTestTerminal(ownWorkspace()).signalbox('config', 'list', '--json');
  const listed = await signalbox('config', 'list', '--json');
  const valuesIn = (out: string): object =>
    Object.fromEntries(
      Object.entries(JSON.parse(out) as Record<string, { value: unknown }>)
        .filter(([key]) => /resource_limits|timeout|max_/.test(key))
        .map(([key, { value }]) => [key, value]),
    );
  expect(valuesIn(listed.out)).toEqual(valuesIn(without.out));
  expect((await signalbox('exec', '--', 'ulimit -f')).out).toBe(
    (await createTestTerminal(ownWorkspace()).signalbox('exec', '--', 'ulimit -f')).out,
  );
});

test.for([
  ['is larger', '#'.repeat(1024 ** 2 + 1), 'larger than 1 MiB'],
  [
    'holds aliases of aliases',
    `a0: &a0 [x]\n${[1, 2, 3, 4, 5].map((n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]\n`).join('')}`,
    'alias',
  ],
] as const)('a shared file that %s is a plain error, not reported as a bug', async ([, text, why]) => {
  const { exit, talk } = await createTestTerminal(ownWorkspace({ 'signalbox.yaml': text })).signalbox(
    'config',
    'list',
  );
  expect(exit).not.toBe(0);
  expect(talk).toContain('Cannot read signalbox.yaml');
  expect(talk).toContain(why);
  expect(talk).not.toContain('bug of Signalbox');
});
