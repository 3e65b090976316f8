import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import {
  callOf,
  chatTurn,
  type ScriptedAnswer,
  startModel,
  workspaceWith,
} from '../settings/model-server.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

function repository(workspace: string): string {
  execFileSync('git', ['init', '-q', workspace]);
  const lock = join(workspace, '.git', 'index.lock');
  writeFileSync(lock, '');
  return lock;
}

test('a git call that finds the index locked by another git is made again until that has finished (S001-07, X-17)', async () => {
  const retry = { max_attempts: 100, base_ms: 50, max_ms: 50, budget_secs: 600 };
  await using own = await openTestRuntime({
    settings: { ...FREE, tools: { retry } },
    files: { 'a.txt': 'a\n' },
  });
  const lock = repository(own.workspace);
  const { result } = own.submit('openai', 'git_add', { args: { paths: ['a.txt'] } });
  await vi.waitFor(() => expect(JSON.stringify(own.logger.lines)).toContain('call is retried'), 60_000);
  rmSync(lock);
  expect((await result).outcome.kind).toBe('completed');
  expect(execFileSync('git', ['-C', own.workspace, 'ls-files'], { encoding: 'utf8' })).toBe('a.txt\n');
});

test.for<Readonly<{ key: string; retry: object }>>([
  { key: 'tools.retry.max_attempts', retry: { max_attempts: 1 } },
  { key: 'tools.retry.budget_secs', retry: { budget_secs: 0 } },
  { key: 'tools.retry.base_ms, tools.retry.max_ms', retry: { base_ms: 40_000, max_ms: 40_000 } },
])('a call is not made again beyond what the settings allow (setting: $key)', async ({ retry }) => {
  await using own = await openTestRuntime({
    settings: { ...FREE, tools: { retry } },
    files: { 'a.txt': 'a\n' },
  });
  repository(own.workspace);
  const { content } = await own.call('openai', 'git_add', { paths: ['a.txt'] });
  expect(content).toMatch(/another git process holds the index.*retryable: true/s);
  expect(JSON.stringify(own.logger.lines)).not.toContain('call is retried');
});

const BADLY = chatTurn(callOf('read_file', { path: ['a.txt'] }));
const FILES = { 'a.txt': 'text of a\n' };
const said = (body: Readonly<Record<string, unknown>> | undefined): string =>
  JSON.stringify(body?.['messages']);

/** Turns in order, and this answer to requests without tools. */
function answering(turns: readonly ScriptedAnswer[], other: string) {
  let turn = 0;
  return (body: Readonly<Record<string, unknown>>): ScriptedAnswer =>
    body['tools'] === undefined ? chatTurn({ content: other }) : (turns[turn++] ?? chatTurn());
}

async function run(workspace: string) {
  return createTestTerminal(workspace).signalbox('run', 'Read a', '-p', 'gate', '--until', 'true');
}

test('arguments that do not fit are corrected once, by the provider that the settings name, and judged anew; both versions are audited (S001-95, S001-100) (setting: tools.retry.parameter_reformat_provider)', async () => {
  const [own, small] = [
    await startModel([BADLY]),
    await startModel([chatTurn({ content: '```json\n{"path": "a.txt"}\n```' })]),
  ];
  const workspace = await workspaceWith(
    { base_url: own.url },
    {
      files: FILES,
      tools: { retry: { parameter_reformat_provider: 'small' } },
      others: { small: { api: 'openai-chat', base_url: small.url, model: 'tiny', api_key_env: null } },
    },
  );
  await run(workspace);
  expect(small.requests).toHaveLength(1);
  expect(small.requests[0]?.body['tools']).toBeUndefined();
  expect(said(small.requests[0]?.body)).toMatch(/must be text.*a\.txt/s);
  expect(own.requests).toHaveLength(2);
  expect(said(own.requests[1]?.body)).toMatch(/text of a.*were corrected before this call was made/s);
  const lines = readFileSync(join(workspace, '.signalbox', 'audit.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const reads = lines
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ tool }) => tool === 'read_file');
  expect(reads).toMatchObject([
    { call: { text: '{"path":["a.txt"]}' }, result: 'failed', error_category: 'TypeMismatch' },
    { call: { path: 'a.txt' }, result: 'completed' },
  ]);
});

test('without a named provider the session’s own corrects them; what still does not fit goes back to the model, and the second time with a line to think about (S001-96)', async () => {
  const model = await startModel(answering([BADLY, BADLY], 'null'));
  await run(await workspaceWith({ base_url: model.url }, { files: FILES }));
  const turns = model.requests
    .filter(({ body }) => body['tools'] !== undefined)
    .map(({ body }) => said(body));
  expect([model.requests.length, turns.length]).toEqual([5, 3]);
  expect(turns[1]).toMatch(/must be text/);
  expect(turns.map((text) => text.includes('This is call 2 of read_file'))).toEqual([false, false, true]);
});
