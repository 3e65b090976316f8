import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { shortId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { ASKING, waitingCommand } from './testing/waiting-command.ts';

type Grant = (own: TestServer, question: Readonly<{ id: string; callHash: string }>) => Promise<unknown>;

const overApi =
  (as: (own: TestServer) => Promise<{ token?: string; headers?: Record<string, string> }>): Grant =>
  async (own, { id, callHash }) =>
    own.ask('POST', `/api/approvals/${id}/grant`, { body: { callHash }, ...(await as(own)) });

async function browser(own: TestServer): Promise<{ token: string; headers: { cookie: string } }> {
  const { body } = await own.ask<{ code: string }>('POST', '/api/entry-codes', { body: {} });
  const entered = await own.ask('POST', '/api/enter', { token: '', body: { code: body.code } });
  return { token: '', headers: { cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '' } };
}

async function madeToken({ of }: TestServer): Promise<{ token: string }> {
  const mira = { kind: 'made', name: 'mira', role: 'approver', provider: null, lifetimeMs: null } as const;
  return { token: (await of.tokens.create(mira)).token };
}

test.for<readonly [channel: string, how: string, grant: Grant]>([
  ['api', 'a program with the access token of this account', overApi(async () => ({}))],
  ['api', 'an access token that a person made', overApi(madeToken)],
  [
    'api',
    'such a token that states another channel',
    overApi(async (own) => ({ ...(await madeToken(own)), headers: { 'signalbox-channel': 'terminal' } })),
  ],
  ['dashboard', 'the dashboard', overApi(browser)],
  [
    'terminal',
    'the window of a run',
    overApi(async () => ({ headers: { 'signalbox-channel': 'terminal' } })),
  ],
  [
    'cli',
    'signalbox approve',
    ({ of }, { id, callHash }) =>
      createTestTerminal(of.workspace).signalbox('approve', shortId(id, 12), '--expect', callHash),
  ],
])('the audit log records channel %s for an answer by %s', async ([channel, , grant]) => {
  await using own = await openTestServer(ASKING);
  const asked = await waitingCommand(own, 'touch granted');
  await grant(own, { id: asked.id, callHash: asked.approval?.callHash ?? '' });
  await own.of.ended(asked.id);
  expect(own.of.auditLines()).toMatchObject([{ approved_over: channel }]);
});

test('the audit log records an answer in an agent’s own window with channel mcp', async () => {
  await using own = await openTestServer(ASKING);
  const agent = new Client(
    { name: 'codex', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  agent.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { answer: 'approve' } }));
  const args = [MAIN, '-C', own.of.workspace, 'mcp', '--provider', 'codex'];
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  await agent.callTool({ name: 'signalbox_bash', arguments: { line: 'touch yes.txt' } });
  await agent.close();
  expect(own.of.auditLines()).toMatchObject([{ approved_over: 'mcp' }]);
});
