import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '@signalbox/core';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const FILES = { 'src/a.ts': 'one\n', 'src/b.ts': 'two\n' };
const READS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['read_file', { path: 'src/a.ts' }],
  ['list_directory', { path: 'src' }],
  ['search_files', { pattern: 'one', path: 'src' }],
  ['git_log', {}],
  ['git_status', {}],
  ['git_diff', {}],
];

/** Calls until an answer is an earlier one: a file that has just changed is not compared yet. */
async function reused(
  own: TestRuntime,
  { provider, read }: Readonly<{ provider: string; read: readonly [string, Record<string, unknown>] }>,
): Promise<CommandResult> {
  for (;;) {
    const result = await own.call(provider, ...read);
    if (result.reusedFrom !== undefined) return result;
  }
}

test.for(READS)(
  'an unchanged %s is answered without a lease, for every provider (O1, S001-81)',
  async (read) => {
    await using own = await openTestRuntime({ files: FILES });
    const first = await own.call('openai', ...read);
    const again = await reused(own, { provider: 'anthropic', read: read });
    expect([again.content, again.output]).toEqual([
      first.content.replace(first.commandId, again.commandId),
      first.output,
    ]);
    const line = own.auditLines().find(({ command_id }) => command_id === again.commandId);
    expect(line).toMatchObject({
      cached: true,
      cached_from: again.reusedFrom?.commandId,
      fencing_token: null,
    });
  },
);

test('an answer given again counts as a read: a write based on it is accepted, and a later edit noticed', async () => {
  await using own = await openTestRuntime({
    files: FILES,
    settings: { approval: { approval_mode: 'allow_all' } },
  });
  await reused(own, { provider: 'openai', read: ['read_file', { path: 'src/a.ts' }] });
  await own.call('anthropic', 'read_file', { path: 'src/a.ts' });
  writeFileSync(join(own.workspace, 'src/a.ts'), 'edited\n');
  const late = await own.call('anthropic', 'write_file', { path: 'src/a.ts', content: 'mine\n' });
  expect(late.outcome.kind).toBe('conflict');
  expect((await own.call('anthropic', 'read_file', { path: 'src/a.ts' })).content).toContain('edited');
});

test('tools that write or run programs of the workspace are never answered so (O2, S001-82, S001-85)', async () => {
  await using own = await openTestRuntime({
    files: FILES,
    settings: { approval: { approval_mode: 'allow_all' } },
  });
  const line = { line: 'echo one >> src/a.ts' };
  const results = [await own.call('openai', 'bash', line), await own.call('anthropic', 'bash', line)];
  expect(results.map(({ reusedFrom }) => reusedFrom)).toEqual([undefined, undefined]);
  expect(own.read('src/a.ts')).toBe('one\none\none\n');
});

test('an answer is forgotten after its time, even if nothing changed (setting: tools.result_cache.ttl_secs)', async () => {
  await using own = await openTestRuntime({
    files: FILES,
    settings: { tools: { result_cache: { ttl_secs: 1 } } },
  });
  const read = ['read_file', { path: 'src/a.ts' }] as const;
  await reused(own, { provider: 'openai', read });
  await expect.poll(async () => (await own.call('openai', ...read)).reusedFrom).toBeUndefined();
  await reused(own, { provider: 'openai', read });
});
