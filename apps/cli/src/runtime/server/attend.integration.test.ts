import { ProviderId } from '@signalbox/core';
import { expect, test, vi } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';

type Command = { id: string; state: string; result: { outcome: { kind: string } } | null };

const ASKING = { settings: { approval: { prompt_on_warning: true } } };

async function send(own: TestServer): Promise<string> {
  const body = { tool: 'bash', args: { line: 'touch x' } };
  return (await own.ask<Command>('POST', '/api/commands', { body })).body.id;
}

test('a waiting request returns the command’s state at its timeout, and the result when the command is done', async () => {
  await using own = await openTestServer(ASKING);
  const id = await send(own);
  const attend = (wait: number) => own.ask<Command>('POST', `/api/commands/${id}/attend`, { body: { wait } });
  expect((await attend(1)).body).toMatchObject({ state: 'awaiting_approval', result: null });
  const attended = attend(60_000);
  const { callHash } = await own.of.event('approval_requested');
  await own.ask('POST', `/api/approvals/${id}/grant`, { body: { callHash } });
  expect((await attended).body).toMatchObject({ result: { outcome: { kind: 'completed' } } });
});

test('a command is cancelled when the client that waits for it disconnects, but not when a viewer does', async () => {
  await using own = await openTestServer(ASKING);
  const id = await send(own);
  const headers = { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' };
  const leave = () => ({ headers, signal: AbortSignal.timeout(200) });
  await fetch(`${own.url}/api/commands/${id}?wait=60000`, leave()).catch(() => undefined);
  expect((await own.ask('GET', `/api/commands/${id}`)).body).toMatchObject({ state: 'awaiting_approval' });
  const body = JSON.stringify({ wait: 60_000 });
  // On a busy machine the client may disconnect before its request has arrived.
  await vi.waitFor(async () => {
    const way = { ...leave(), method: 'POST', body };
    await fetch(`${own.url}/api/commands/${id}/attend`, way).catch(() => undefined);
    expect((await own.ask('GET', `/api/commands/${id}`)).body).toMatchObject({
      result: { outcome: { kind: 'cancelled' } },
    });
  }, 20_000);
});

test('a provider can wait only for its own commands, and a viewer for none', async () => {
  await using own = await openTestServer(ASKING);
  const id = await send(own);
  const tokenOf = async (role: 'provider' | 'viewer', provider: string | null) =>
    own.of.tokens.create({
      kind: 'made',
      name: role,
      role,
      provider: provider === null ? null : ProviderId.parse(provider),
      lifetimeMs: null,
    });
  const attend = async ({ token }: { token: string }) =>
    (await own.ask('POST', `/api/commands/${id}/attend`, { token, body: { wait: 1 } })).status;
  expect(await attend(await tokenOf('provider', 'codex'))).toBe(404);
  expect(await attend(await tokenOf('viewer', null))).toBe(403);
});
