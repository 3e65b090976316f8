import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ProviderId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';

const ASKING = { settings: { approval: { prompt_on_warning: true } } } as const;
const ERAS = [
  ['2025', 'legacy'],
  ['2026', { pin: '2026-07-28' }],
] as const;

type Connected = Readonly<{ client: Client; close(): Promise<void> }>;

async function connect(
  own: TestServer,
  mode: (typeof ERAS)[number][1],
  { provider = 'claude-code' }: Readonly<{ provider?: string }> = {},
): Promise<Connected> {
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: provider,
    role: 'provider',
    provider: ProviderId.parse(provider),
    lifetimeMs: null,
  });
  const client = new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', own.url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return { client, close: () => client.close() };
}

/** Machine-readable part of an answer for an agent's program. */
function meta(facts: object): object {
  return { _meta: { 'signalbox/command': facts } };
}

function textOf(result: { content?: unknown }): string {
  return (result.content as { text: string }[]).map(({ text }) => text).join('\n');
}

for (const [era, mode] of ERAS) {
  test(`an agent of ${era} is offered every tool, and its calls go through the same path as all others`, async () => {
    await using own = await openTestServer({ files: { 'a.txt': 'hello agent\n' } });
    const { client, close } = await connect(own, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['signalbox_bash', 'signalbox_read_file', 'signalbox_wait']),
    );
    const read = tools.find(({ name }) => name === 'signalbox_read_file');
    expect(read?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(read?.inputSchema).toMatchObject({ type: 'object', properties: { path: { type: 'string' } } });

    const answer = await client.callTool({ name: 'signalbox_read_file', arguments: { path: 'a.txt' } });
    expect(textOf(answer)).toContain('hello agent');
    expect(answer).toMatchObject(meta({ outcome: 'completed', files: [{ path: 'a.txt', kind: 'read' }] }));
    const failed = await client.callTool({ name: 'signalbox_bash', arguments: { line: 'exit 3' } });
    expect(failed).toMatchObject({ isError: true, ...meta({ exit_code: 3 }) });
    const wrong = await client.callTool({ name: 'signalbox_read_file', arguments: { path: 7 } });
    expect(textOf(wrong)).toContain('[tool_error]');
    expect(own.of.auditLines().map(({ provider }) => provider)).toEqual([
      'claude-code',
      'claude-code',
      'claude-code',
    ]);
    await close();
  });

  test(`a call of an agent of ${era} waits for approval, and cancelling it leaves nothing behind`, async () => {
    await using own = await openTestServer(ASKING);
    const { client, close } = await connect(own, mode);
    const granted = client.callTool({ name: 'signalbox_bash', arguments: { line: 'touch granted' } });
    const asked = await own.of.event('approval_requested');
    await own.ask('POST', `/api/approvals/${asked.commandId}/grant`, { body: { callHash: asked.callHash } });
    expect(await granted).toMatchObject(meta({ outcome: 'completed' }));

    const stop = new AbortController();
    const cancelled = client.callTool(
      { name: 'signalbox_bash', arguments: { line: 'touch cancelled' } },
      { signal: stop.signal },
    );
    cancelled.catch(() => undefined);
    const second = await own.of.event('approval_requested', ({ commandId }) => commandId !== asked.commandId);
    stop.abort();
    await expect(cancelled).rejects.toThrow(/abort/i);
    await own.of.ended(second.commandId);
    expect(await own.ask('GET', `/api/commands/${second.commandId}`)).toMatchObject({
      body: { result: { outcome: { kind: 'cancelled' } } },
    });
    await close();
  });
}

test('a call that takes longer than an agent waits returns a handle, and can be resumed', async () => {
  await using own = await openTestServer(ASKING);
  const { client, close } = await connect(own, 'legacy');
  const sent = own.of.submit('claude-code', 'bash', { args: { line: 'touch later' } });
  const asked = await own.of.event('approval_requested');
  const waits = await client.callTool({
    name: 'signalbox_wait',
    arguments: { command: sent.commandId, seconds: 1 },
  });
  expect(waits).toMatchObject(meta({ status: 'waiting', id: sent.commandId }));
  expect(textOf(waits)).toContain('approval');
  await own.ask('POST', `/api/approvals/${asked.commandId}/grant`, { body: { callHash: asked.callHash } });
  const done = await client.callTool({ name: 'signalbox_wait', arguments: { command: sent.commandId } });
  expect(done).toMatchObject(meta({ outcome: 'completed' }));
  const others = own.of.submit('openai', 'bash', { args: { line: 'echo theirs' } });
  await others.result;
  const foreign = await client.callTool({ name: 'signalbox_wait', arguments: { command: others.commandId } });
  expect(foreign.isError).toBe(true);
  await close();
});

test('two agents on one file: the one that read it before the other wrote it is told so', async () => {
  await using own = await openTestServer({
    files: { 'a.txt': 'one\n' },
    settings: { approval: { approval_mode: 'allow_all' } },
  });
  const first = await connect(own, 'legacy', { provider: 'claude-code' });
  const second = await connect(own, { pin: '2026-07-28' }, { provider: 'codex' });
  for (const { client } of [first, second]) {
    await client.callTool({ name: 'signalbox_read_file', arguments: { path: 'a.txt' } });
  }
  const write = (of: Connected, content: string) =>
    of.client.callTool({
      name: 'signalbox_write_file',
      arguments: { path: 'a.txt', content, overwrite: true },
    });
  expect(await write(first, 'first\n')).toMatchObject(meta({ outcome: 'completed' }));
  expect(await write(second, 'second\n')).toMatchObject(meta({ outcome: 'conflict' }));
  expect(own.of.read('a.txt')).toBe('first\n');
  await first.close();
  await second.close();
});

test('each token is a provider of its own: using up the limit of one does not affect another (setting: providers.*.rate_limit_per_hour)', async () => {
  const once = { api: 'agent', rate_limit_per_hour: 1 };
  await using own = await openTestServer({ settings: { providers: { 'claude-code': once } } });
  const first = await connect(own, 'legacy', { provider: 'claude-code' });
  const second = await connect(own, { pin: '2026-07-28' }, { provider: 'codex' });
  const call = ({ client }: Connected) =>
    client.callTool({ name: 'signalbox_get_current_time', arguments: {} });
  const done = meta({ outcome: 'completed' });
  expect(await call(first)).toMatchObject(done);
  expect(textOf(await call(first))).toContain('provider claude-code may make 1 call an hour');
  expect(await call(second)).toMatchObject(done);
  expect(await call(second)).toMatchObject(done);
  await first.close();
  await second.close();
});

test('an agent needs a token that may call', async () => {
  await using own = await openTestServer();
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'wall',
    role: 'viewer',
    provider: null,
    lifetimeMs: null,
  });
  expect((await own.ask('POST', '/mcp', { token, body: {} })).status).toBe(403);
  expect((await own.ask('POST', '/mcp', { token: '', body: {} })).status).toBe(401);
});

test('an agent whose connection breaks holds nothing: its call is cancelled', async () => {
  await using own = await openTestServer(ASKING);
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'gone',
    role: 'provider',
    provider: ProviderId.parse('gone'),
    lifetimeMs: null,
  });
  const leave = new AbortController();
  const post = (body: object, session?: string): Promise<Response> =>
    fetch(new URL('/mcp', own.url), {
      method: 'POST',
      signal: leave.signal,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
  const opened = await post({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  });
  const session = opened.headers.get('mcp-session-id') ?? '';
  await opened.text();
  await (await post({ method: 'notifications/initialized' }, session)).text();
  void post(
    { id: 2, method: 'tools/call', params: { name: 'signalbox_bash', arguments: { line: 'touch x' } } },
    session,
  )
    .then((response) => response.text())
    .catch(() => undefined);
  const asked = await own.of.event('approval_requested');
  leave.abort();
  await own.of.ended(asked.commandId);
  expect(await own.ask('GET', `/api/commands/${asked.commandId}`)).toMatchObject({
    body: { result: { outcome: { kind: 'cancelled' } } },
  });
});
