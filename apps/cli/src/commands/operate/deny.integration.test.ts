import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ASKING = { settings: { approval: { prompt_on_warning: true } } } as const;

async function ask(own: TestServer) {
  const submitted = own.of.submit('codex', 'bash', { args: { line: 'touch a.txt' } });
  await submitted.resting;
  return submitted;
}

test('deny --stop-session denies and ends the session', async () => {
  const workspace = await workspaceFor(
    scriptOf('openai', [{ tool: 'bash', args: { line: 'rm -rf a.txt' } }], [write('b.txt')]),
  );
  const asked = Promise.withResolvers<string>();
  const terminal = createTestTerminal(workspace, { onTalk: asked.resolve });
  const running = terminal.signalbox('run', 'Finish', '--until', 'true');
  const [, id = ''] = /signalbox deny (\w{4})/.exec(await asked.promise) ?? [];
  const denied = await terminal.signalbox('deny', id, '--stop-session', '-m', 'this leads nowhere');
  expect(denied).toMatchObject({
    exit: 0,
    talk: expect.stringContaining('the session of openai is being stopped'),
  });
  expect((await running).talk).toContain('stopped by ana');
  expect(existsSync(join(workspace, 'b.txt'))).toBe(false);
});

test('a denial needs no reason, and counts even if there is no session to stop', async () => {
  await using own = await openTestServer(ASKING);
  const beside = createTestTerminal(own.of.workspace);
  const elsewhere = createTestTerminal(own.of.workspace, { env: { SIGNALBOX_TOKEN: own.token } });
  for (const [terminal, ...flags] of [[beside], [elsewhere, '--server', own.url]] as const) {
    const { commandId, result } = await ask(own);
    const reported = await terminal.signalbox('deny', commandId, '--stop-session', ...flags);
    expect(reported).toMatchObject({
      exit: 1,
      talk: expect.stringContaining('signalbox cancel --session ses_'),
    });
    expect((await result).outcome.kind).toBe('denied');
  }
  const { commandId, result } = await ask(own);
  expect((await beside.signalbox('deny', commandId)).exit).toBe(0);
  expect((await result).outcome.kind).toBe('denied');
});

test('over HTTP an approver may deny, but only an operator may also end the session', async () => {
  await using own = await openTestServer(ASKING);
  const made = { kind: 'made', role: 'approver', provider: null, lifetimeMs: null } as const;
  const { token } = await own.of.tokens.create({ ...made, name: 'mira' });
  const { commandId, result, record } = await ask(own);
  const refuse = (more: object) =>
    own.ask('POST', `/api/approvals/${commandId}/refuse`, {
      body: { callHash: record.approval?.callHash, stopSession: true },
      ...more,
    });
  expect(await refuse({ token })).toMatchObject({ status: 403, body: { code: 'not-allowed' } });
  expect(await refuse({})).toMatchObject({ status: 200, body: { id: commandId, sessionStopped: false } });
  expect((await result).outcome.kind).toBe('denied');
});
