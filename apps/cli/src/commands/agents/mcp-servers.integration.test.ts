import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Event, ProviderId } from '@signalbox/core';
import { expect, test, vi } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { NOTES_SERVER, notesServerFiles } from './testing/notes-server.ts';

const FILES = await notesServerFiles();
const ECHO = 'mcp__notes__echo';

async function open(
  server: object = {},
  settings: object = {},
  apiKeys: Record<string, string> = {},
): Promise<TestServer> {
  const own = await openTestServer({
    files: FILES,
    settings: { mcp_servers: { notes: { ...NOTES_SERVER, ...server } }, ...settings },
    apiKeys,
  });
  const { tools } = own.of.runtime.coordinator;
  await vi.waitFor(() => expect(tools.list().map(({ name }) => name)).toContain(ECHO), 20_000);
  return own;
}

type Asked = Extract<Event, { type: 'approval_requested' }>;

async function grant(own: TestServer, { commandId, callHash }: Asked) {
  return own.ask('POST', `/api/approvals/${commandId}/grant`, { body: { callHash } });
}

test('a call to a server’s tool goes through the same path as all others: judged, approved, claimed, sandboxed, recorded (A5, E8, S001-61, S001-63)', async () => {
  await using own = await open();
  const sent = own.of.submit('codex', ECHO, { args: { text: 'hello' } });
  const asked = await own.of.event('approval_requested');
  expect(asked.reason).toContain('the tool’s definition or settings require approval');
  await grant(own, asked);
  expect(await sent.result).toMatchObject({
    success: true,
    output: 'hello',
    title: `${ECHO} {"text":"hello"}`,
  });
  expect(await own.of.runtime.coordinator.status(sent.commandId)).toMatchObject({
    claims: [{ resource: 'workspace', access: 'read' }],
  });
  expect(own.of.auditLines()).toMatchObject([{ tool: ECHO, provider: 'codex' }]);
  const wrong = await own.of.call('codex', ECHO, { text: 7 });
  expect(wrong).toMatchObject({ outcome: { failure: { code: 'invalid-arguments' } } });
});

test.for(['write_file', 'delete_file', 'git_commit'])(
  'a tool of a server that may write anything counts as %s in a list of tools that need approval',
  async (listed) => {
    const settings = { agents: { tool_execution: { require_approval_tools: [listed] } } };
    const free = { policy: 'auto', category: 'read_only' };
    await using own = await open({ ...free, workspace: 'write' }, settings);
    const sent = own.of.submit('codex', ECHO, { args: { text: 'hello' } });
    const asked = await own.of.event('approval_requested');
    expect(asked.reason).toContain(`require_approval_tools lists ${listed}: may change any file`);
    await grant(own, asked);
    expect(await sent.result).toMatchObject({ output: 'hello' });
  },
);

test('a secret passed to a server appears nowhere', async () => {
  await using own = await open(
    { env_from: ['NOTES_KEY'], policy: 'auto', category: 'read_only' },
    {},
    { NOTES_KEY: 'swordfish-and-more' },
  );
  const { output, content } = await own.of.call('codex', 'mcp__notes__look', { variable: 'NOTES_KEY' });
  expect(content).not.toContain('swordfish');
  expect(output).toMatch(/^"\[redacted:/);
  expect(JSON.stringify(own.of.auditLines())).not.toContain('swordfish');
});

test('a tool redefined by its server needs approval again, whatever lists say, until a person lets it run (E8)', async () => {
  const listed = { agents: { tool_execution: { auto_approve_tools: ['mcp__notes__*'] } } };
  await using own = await open({}, listed);
  expect(await own.of.call('codex', ECHO, { text: 'one' })).toMatchObject({ output: 'one' });
  await own.of.call('codex', 'mcp__notes__rename', { to: 'Sends it to everybody' });
  const { tools } = own.of.runtime.coordinator;
  await vi.waitFor(() => expect(tools.get(ECHO)?.isChanged).toBe(true), 20_000);
  const sent = own.of.submit('codex', ECHO, { args: { text: 'two' } });
  const asked = await own.of.event('approval_requested', ({ commandId }) => commandId === sent.commandId);
  expect(asked.reason).toContain('changed since it was last approved');
  await grant(own, asked);
  expect(await sent.result).toMatchObject({ output: 'two' });
  expect(await own.of.call('codex', ECHO, { text: 'three' })).toMatchObject({ output: 'three' });
});

test('a pending approval for a redefined tool ends: the next call needs approval for the new definition', async () => {
  const settings = { agents: { tool_execution: { auto_approve_tools: ['mcp__notes__rename'] } } };
  await using own = await open({}, settings);
  const sent = own.of.submit('codex', ECHO, { args: { text: 'one' } });
  const asked = await own.of.event('approval_requested');
  await own.of.call('codex', 'mcp__notes__rename', { to: 'Sends it to everybody' });
  expect(await sent.result).toMatchObject({
    outcome: { kind: 'denied', failure: { code: 'checked-again' } },
  });
  expect((await grant(own, asked)).status).toBe(409);
});

test('agents connected over MCP are offered the tools of other servers too', async () => {
  await using own = await open();
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'codex',
    role: 'provider',
    provider: ProviderId.parse('codex'),
    lifetimeMs: null,
  });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', own.url), { requestInit }));
  const { tools } = await client.listTools();
  const echo = tools.find(({ name }) => name === `signalbox_${ECHO}`);
  expect(echo).toMatchObject({
    inputSchema: { properties: { text: { type: 'string' } }, required: ['text'] },
  });
  await client.close();
});

test('an agent of 2025 is notified when tools change, and sees the current ones', async () => {
  await using own = await open({ policy: 'auto', category: 'read_only' });
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'codex',
    role: 'provider',
    provider: ProviderId.parse('codex'),
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
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', own.url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  const saysOf = async (): Promise<string | undefined> =>
    (await client.listTools()).tools.find(({ name }) => name === `signalbox_${ECHO}`)?.description;
  expect(await saysOf()).toContain('Says it again');
  await own.of.call('openai', 'mcp__notes__rename', { to: 'Says it twice' });
  await reported.promise;
  await vi.waitFor(async () => expect(await saysOf()).toContain('Says it twice'), 20_000);
  await client.close();
});
