import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ProviderId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

test('each answer lists once the files that another provider changed since the session read them', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: { 'a.ts': 'one\ntwo\n' } });
  await own.call('openai', 'read_file', { path: 'a.ts' });
  await own.call('codex', 'bash', { line: "sed -i 's/two/2/' a.ts" });
  const next = await own.call('openai', 'bash', { line: 'true' });
  expect(next.notes).toEqual(['codex changed a.ts (1 line) since you read it']);
  expect((await own.call('openai', 'bash', { line: 'echo' })).notes).toBeUndefined();
  expect((await own.call('codex', 'bash', { line: 'echo' })).notes).toBeUndefined();
  await own.call('codex', 'read_file', { path: 'a.ts' });
  await own.call('codex', 'write_file', { path: 'a.ts', content: 'three\n' });
  expect((await own.call('openai', 'git_status', {})).notes).toHaveLength(1);
});

test('a model reads a file as it is, and later changes by a person after it, in its next request', async () => {
  let workspace = '';
  const model = await startRecordedModel([
    () => [{ tool: 'read_file', args: { path: 'a.ts' } }],
    () => {
      writeFileSync(join(workspace, 'a.ts'), 'edited\n');
      return [{ tool: 'read_file', args: { path: 'b.ts' } }];
    },
  ]);
  workspace = await workspaceOf(
    { local: model },
    { files: { 'a.ts': 'one\n', 'b.ts': 'two\n' }, local: FREE },
  );
  await createTestTerminal(workspace).signalbox('run', 'Look', '--until', 'true');
  expect(model.answersTo(1)).toEqual(['one\n']);
  const note = 'a.ts was changed outside Signalbox (1 line) since you read it';
  expect(model.answersTo(2)).toEqual([`two\n\n\n[note from Signalbox, not part of the answer: ${note}]`]);
});

test('over MCP a note is a separate text block after the answer', async () => {
  await using own = await openTestServer({ files: { 'a.ts': 'one\n' } });
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'claude-code',
    role: 'provider',
    provider: ProviderId.parse('claude-code'),
    lifetimeMs: null,
  });
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', own.url), { requestInit }));
  const read = { name: 'signalbox_read_file', arguments: { path: 'a.ts' } };
  expect((await client.callTool(read)).content).toHaveLength(1);
  writeFileSync(join(own.of.workspace, 'a.ts'), 'edited\n');
  const status = await client.callTool({ name: 'signalbox_git_status', arguments: {} });
  expect(status.content).toEqual([
    { type: 'text', text: expect.stringContaining('a.ts') },
    {
      type: 'text',
      text: '[signalbox] a.ts was changed outside Signalbox (1 line) since you read it',
    },
  ]);
  await client.close();
});
