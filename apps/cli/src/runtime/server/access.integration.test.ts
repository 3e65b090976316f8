import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { TestCommandView } from './testing/command-view.ts';
import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { ASKING, echo, waitingCommand } from './testing/waiting-command.ts';

type Page = { commands: TestCommandView[]; next: string | null };

test('a request with a missing, wrong or revoked token learns nothing', async () => {
  await using own = await openTestServer();
  for (const token of ['', 'sbx_wrong', 'x'.repeat(300)]) {
    const answer = await own.ask('GET', '/api/snapshot', { token });
    expect(answer).toMatchObject({ status: 401, body: { code: 'no-token' } });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  }
  const made = await own.of.tokens.create({
    kind: 'made',
    name: 'wall',
    role: 'viewer',
    provider: null,
    lifetimeMs: null,
  });
  expect((await own.ask('GET', '/api/snapshot', made)).status).toBe(200);
  await own.of.tokens.revoke(({ id }) => id === made.entry.id);
  expect((await own.ask('GET', '/api/snapshot', made)).status).toBe(401);
});

test('a token is accepted only in its header, and appears in no log, audit or store', async () => {
  await using own = await openTestServer();
  const wrong = 'sbx_a-wrong-guess-of-somebody';
  const inAddress = `/api/mode?token=${own.token}&access_token=${own.token}`;
  expect((await own.ask('GET', inAddress, { token: '' })).status).toBe(401);
  expect((await own.ask('GET', '/api/mode', { token: wrong })).status).toBe(401);
  await own.ask('POST', '/api/commands', { body: echo('echo hello') });
  await own.ask('GET', '/api/nowhere');
  const { body } = await own.ask<{ code: string }>('POST', '/api/entry-codes', { body: {} });
  await own.ask('POST', '/api/enter', { token: '', body: { code: body.code } });
  await own.of.leave();
  const folder = join(own.of.workspace, '.signalbox');
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(stored.length).toBeGreaterThan(1);
  const everything = [JSON.stringify(own.of.logger.lines), ...stored].join('\n');
  for (const secret of [own.token, wrong, body.code]) expect(everything.includes(secret)).toBe(false);
});

test('a client that repeats a wrong token is throttled, and others at that address are let in (F-W11)', async () => {
  await using own = await openTestServer();
  const wrong = 'sbx_guess_of_a_misconfigured_agent';
  for (let i = 0; i < 10; i++) expect((await own.ask('GET', '/api/mode', { token: wrong })).status).toBe(401);
  expect(await own.ask('GET', '/api/mode', { token: wrong })).toMatchObject({
    status: 429,
    body: { code: 'too-many-failures' },
  });
  expect((await own.ask('GET', '/api/mode')).status).toBe(200);
  expect((await own.ask('GET', '/api/mode', { token: 'sbx_another_wrong_one' })).status).toBe(401);
  const { body } = await own.ask<{ code: string }>('POST', '/api/entry-codes', { body: {} });
  for (let i = 0; i < 12; i++)
    await own.ask('POST', '/api/enter', { token: '', body: { code: 'an old link' } });
  expect((await own.ask('POST', '/api/enter', { token: '', body: { code: body.code } })).status).toBe(200);
});

test('every response forbids other pages to frame it, load from it or guess its type', async () => {
  await using own = await openTestServer();
  for (const [path, token] of [
    ['/health', ''],
    ['/api/mode', own.token],
    ['/api/mode', ''],
    ['/api/none', ''],
  ] as const) {
    const { headers } = await own.ask('GET', path, { token });
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('a provider’s token acts only as that provider: it sees its own commands and can’t call as another', async () => {
  await using own = await openTestServer();
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'Claude Code',
    role: 'provider',
    provider: 'claude-code' as never,
    lifetimeMs: null,
  });
  const others = await own.ask<TestCommandView>('POST', '/api/commands', { body: echo('echo theirs') });
  const its = await own.ask<TestCommandView>('POST', '/api/commands', { token, body: echo('echo its') });
  expect(its.body.context.provider).toBe('claude-code');
  const list = await own.ask<Page>('GET', '/api/commands', { token });
  expect(list.body.commands.map(({ id }) => id)).toEqual([its.body.id]);
  expect((await own.ask('GET', `/api/commands/${others.body.id}`, { token })).status).toBe(404);
  expect((await own.ask('POST', `/api/commands/${others.body.id}/cancel`, { token, body: {} })).status).toBe(
    404,
  );
  expect((await own.ask('GET', '/api/snapshot', { token })).status).toBe(403);
  const posing = await own.ask('POST', '/api/commands', {
    token,
    body: { ...echo('true'), provider: 'openai' },
  });
  expect(posing).toMatchObject({ status: 403, body: { code: 'not-allowed' } });
});

test('a page of another site reaches nothing, neither by DNS rebinding nor by its origin (L-40)', async () => {
  await using own = await openTestServer();
  const { port } = new URL(own.url);
  const send = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path: '/api/mode',
          headers: { authorization: `Bearer ${own.token}`, ...headers },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      sent.on('error', reject);
      sent.end();
    });
  expect(await send({ host: `127.0.0.1:${port}` })).toBe(200);
  expect(await send({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200);
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    'evil@127.0.0.1.example',
  ]) {
    expect(await send({ host })).toBe(421);
  }
  for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${Number(port) + 1}`]) {
    expect(await send({ host: `127.0.0.1:${port}`, origin })).toBe(403);
  }
  expect(await send({ host: `127.0.0.1:${port}`, 'sec-fetch-site': 'cross-site' })).toBe(403);
});

test('secrets of a waiting call are shown to nobody, not even as an underlined position (N2)', async () => {
  await using own = await openTestServer(ASKING);
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const asked = await waitingCommand(own, `GH_TOKEN=${secret} touch secret`);
  for (const path of ['/api/approvals', `/api/commands/${asked.id}`, '/api/snapshot', '/api/commands']) {
    const { text, status } = await own.ask('GET', path);
    expect(status).toBe(200);
    expect(text).toContain(asked.id);
    expect(text).not.toContain(secret);
  }
  expect(asked.verdict?.reasons.every((reason) => !('span' in reason))).toBe(true);
});

test('a sign-in link opens the dashboard once: its code becomes a cookie that no page can read', async () => {
  await using own = await openTestServer();
  const { body } = await own.ask<{ code: string }>('POST', '/api/entry-codes', { body: {} });
  const entered = await own.ask('POST', '/api/enter', { token: '', body: { code: body.code } });
  expect(entered.status).toBe(200);
  const cookie = entered.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Strict/);
  const value = cookie.split(';')[0] ?? '';
  const seen = await own.ask('GET', '/api/snapshot', { token: '', headers: { cookie: value } });
  expect(seen).toMatchObject({ status: 200, body: { you: { role: 'operator' } } });
  expect((await own.ask('POST', '/api/enter', { token: '', body: { code: body.code } })).status).toBe(401);
  await own.ask('POST', '/api/leave', { token: '', headers: { cookie: value }, body: {} });
  expect((await own.ask('GET', '/api/snapshot', { token: '', headers: { cookie: value } })).status).toBe(401);
});

test('a sign-in link made with a token signs out with it', async () => {
  await using own = await openTestServer();
  const made = await own.of.tokens.create({
    kind: 'made',
    name: 'wall',
    role: 'viewer',
    provider: null,
    lifetimeMs: null,
  });
  const { body } = await own.ask<{ code: string }>('POST', '/api/entry-codes', { ...made, body: {} });
  const entered = await own.ask('POST', '/api/enter', { token: '', body: { code: body.code } });
  const headers = { cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '' };
  expect((await own.ask('GET', '/api/snapshot', { token: '', headers })).status).toBe(200);
  await own.of.tokens.revoke(({ id }) => id === made.entry.id);
  expect((await own.ask('GET', '/api/snapshot', { token: '', headers })).status).toBe(401);
});

test('settings of a provider apply to its token: it can’t choose its own trust or priority (D5, S001-06) (setting: providers.*.priority)', async () => {
  await using own = await openTestServer({
    settings: { providers: { codex: { api: 'agent', trust: 'untrusted', priority: 300 } } },
  });
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'codex',
    role: 'provider',
    provider: 'codex' as never,
    lifetimeMs: null,
  });
  const sent = await own.ask<TestCommandView>('POST', '/api/commands', {
    token,
    body: { ...echo('true'), priority: 0 },
  });
  expect(sent.body.context).toMatchObject({ provider: 'codex', trust: 'untrusted', priority: 300 });
});
