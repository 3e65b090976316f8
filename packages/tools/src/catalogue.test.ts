import { createToolRegistry, toOutputSchema } from '@signalbox/core';
import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { bash } from './shell/bash.tool.ts';

test('the catalogue has unique names and aliases (S000-31, S000-91, S004-16)', () => {
  const registry = createToolRegistry(catalogue());
  expect(registry.list().map(({ name }) => name)).toEqual([
    'ask_person',
    'bash',
    'delete_file',
    'echo',
    'edit_file',
    'failing_tool',
    'find_tools',
    'get_current_time',
    'git_add',
    'git_commit',
    'git_diff',
    'git_log',
    'git_status',
    'list_directory',
    'read_file',
    'read_output',
    'run_linter',
    'run_tests',
    'search_files',
    'write_file',
  ]);
});

test('the aliases of X-23 resolve to the same tool', () => {
  const registry = createToolRegistry(catalogue());
  for (const alias of ['file.read', 'file_read', 'read']) expect(registry.get(alias)?.name).toBe('read_file');
});

test('governance matches the specifications (S000-17, S000-19…S000-22, S000-36, S000-70…S000-73, S000-79…S000-81, X-40)', () => {
  const rows = Object.fromEntries(
    catalogue().map((tool) => [
      tool.name,
      [
        tool.category,
        tool.risk,
        tool.policy,
        tool.timeoutMs / 1000,
        tool.requiresSandbox ? 'sandbox' : '-',
        tool.allowedModes.includes('LOCKDOWN') ? 'all modes' : 'not in LOCKDOWN',
      ].join(' '),
    ]),
  );
  expect(rows).toEqual({
    read_file: 'read_only low auto 30 - all modes',
    list_directory: 'read_only low auto 30 - all modes',
    search_files: 'read_only low auto 30 sandbox all modes',
    write_file: 'system_write high auto 30 - not in LOCKDOWN',
    edit_file: 'system_write high auto 30 - not in LOCKDOWN',
    delete_file: 'system_write high auto 30 - not in LOCKDOWN',
    bash: 'execute high auto 60 sandbox not in LOCKDOWN',
    git_status: 'read_only low auto 30 sandbox all modes',
    git_diff: 'read_only low auto 30 sandbox all modes',
    git_log: 'read_only low auto 30 sandbox all modes',
    git_add: 'system_write medium auto 30 sandbox not in LOCKDOWN',
    git_commit: 'system_write medium auto 30 sandbox not in LOCKDOWN',
    run_tests: 'read_only medium auto 300 sandbox not in LOCKDOWN',
    run_linter: 'read_only low auto 120 sandbox not in LOCKDOWN',
    read_output: 'internal low auto 30 - all modes',
    ask_person: 'internal low auto 30 - all modes',
    compress_context: 'internal low auto 30 - all modes',
    get_current_time: 'internal low auto 30 - all modes',
    echo: 'internal low auto 30 - all modes',
    failing_tool: 'internal low auto 30 - all modes',
    find_tools: 'internal low auto 30 - all modes',
    undo: 'system_write medium auto 30 - not in LOCKDOWN',
  });
});

test('no tool that writes or executes is retried automatically (S001-07, X-17)', () => {
  const retried = catalogue().filter((tool) => tool.retryable);
  expect(retried.map((tool) => tool.category).filter((category) => category !== 'read_only')).toEqual([
    'internal',
    'internal',
    'internal',
  ]);
});

test('every tool declares what its answer holds (M6, S000-06)', () => {
  expect(catalogue().flatMap(({ name, output }) => (output === undefined ? [name] : []))).toEqual([]);
  expect(toOutputSchema(bash)).toMatchObject({
    type: 'object',
    required: ['stdout', 'stderr', 'exit_code', 'truncated'],
    additionalProperties: false,
  });
});
