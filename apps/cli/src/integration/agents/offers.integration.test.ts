import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ProviderId } from '@signalbox/core';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { openTestServer } from '../../testing/open-test-server.ts';
import { type RecordedRequest, startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;
const Listed = z.object({ tools: z.array(z.object({ name: z.string() })) });

const namesIn = ({ tools }: RecordedRequest): readonly string[] =>
  tools.map(({ function: { name } }) => name);

test('a session is offered at each turn the tools that it declares, the mode allows and no setting forbids (S000-34, A6, S002-42, S002-49) (setting: tools.*.forbidden_in_modes)', async () => {
  let workspace = '';
  const model = await startRecordedModel([
    async () => {
      await createTestTerminal(workspace).signalbox('mode', 'LOCKDOWN', '-m', 'strange pushes');
      return [{ tool: 'read_file', args: { path: 'a.txt' } }];
    },
  ]);
  workspace = await workspaceOf(
    { local: model },
    { files: { 'a.txt': '' }, local: { ...FREE, tools: { git_log: { forbidden_in_modes: ['NORMAL'] } } } },
  );
  await createTestTerminal(workspace).signalbox('run', 'Look', '--until', 'true');
  const [first = [], second = []] = model.requests.map(namesIn);
  expect(first).toEqual(expect.arrayContaining(['bash', 'read_file', 'read_output', 'write_file']));
  for (const name of ['git_log', 'echo', 'failing_tool', 'find_tools']) expect(first).not.toContain(name);
  expect(second).toEqual(expect.arrayContaining(['git_log', 'read_file']));
  for (const name of ['bash', 'write_file', 'run_tests']) expect(second).not.toContain(name);
  expect(first).toEqual(first.toSorted());
});

test('a test tool is offered to a provider that lists it (setting: providers.*.tools)', async () => {
  const model = await startRecordedModel([]);
  const providers = { local: { tools: ['echo', 'read_file'] } };
  const workspace = await workspaceOf({ local: model }, { local: { ...FREE, providers } });
  await createTestTerminal(workspace).signalbox('run', 'Look', '--until', 'true');
  expect(model.requests.map(namesIn)).toEqual([['compress_context', 'echo', 'read_file']]);
});

test('the API lists a provider’s tools, by mode, phase and category, and rejects an unknown query (S001-122)', async () => {
  await using own = await openTestServer({
    settings: {
      providers: { ollama: { tools: ['read_file', 'bash'] } },
      tools: { git_log: { forbidden_in_modes: ['ALERT'] } },
    },
  });
  const names = async (query: string) => {
    const { body } = await own.ask('GET', `/api/tools${query}`);
    return Listed.parse(body).tools.map(({ name }) => name);
  };
  expect(await names('?provider=ollama')).toEqual(['bash', 'read_file']);
  expect(await names('?provider=ollama&mode=LOCKDOWN')).toEqual(['read_file']);
  expect(await names('?mode=LOCKDOWN&category=read_only')).not.toContain('bash');
  expect(await names('?category=execute')).toEqual(['bash']);
  expect(await names('')).toEqual(expect.arrayContaining(['echo', 'git_log']));
  expect(await names('?mode=ALERT')).not.toContain('git_log');
  expect(await names('?provider=ollama&phase=verifier')).toEqual(['bash', 'read_file']);
  expect(await names('?provider=ollama&phase=autonomous')).toEqual([]);
  // What is called all the same in that phase is told only of tools that it could call.
  const unknown = await own.of.submit('openai', 'nope', { args: {}, context: { phase: 'autonomous' } })
    .result;
  expect(unknown.failure?.suggestion).toMatch(/^Call one of: /);
  expect(unknown.failure?.suggestion).not.toContain('bash');
  expect(await own.ask('GET', '/api/tools?colour=red')).toMatchObject({ status: 400 });
});

test('an agent over MCP is offered the tools its provider lists, and notified when the mode reduces them (A6)', async () => {
  await using own = await openTestServer({
    settings: { providers: { ollama: { tools: ['echo', 'read_file', 'bash'] } } },
  });
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'agent',
    role: 'provider',
    provider: ProviderId.parse('ollama'),
    lifetimeMs: null,
  });
  const reported = Promise.withResolvers<void>();
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'legacy' },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => reported.resolve() } },
    },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', own.url), { requestInit }));
  const names = async () => (await client.listTools()).tools.map(({ name }) => name).toSorted();
  const always = 'signalbox_wait';
  expect(await names()).toEqual(['signalbox_bash', 'signalbox_echo', 'signalbox_read_file', always]);
  await own.ask('PUT', '/api/mode', { body: { mode: 'LOCKDOWN', reason: 'strange pushes' } });
  await reported.promise;
  await vi.waitFor(async () =>
    expect(await names()).toEqual(['signalbox_echo', 'signalbox_read_file', always]),
  );
  await client.close();
});

test('tools --category lists only that category (S000-35)', async () => {
  const workspace = await workspaceOf({});
  const { out } = await createTestTerminal(workspace).signalbox('--json', 'tools', '--category', 'execute');
  expect(Listed.parse(JSON.parse(out)).tools.map(({ name }) => name)).toEqual(['bash']);
});
