import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { auditFilesOf } from '../audit-files.ts';
import { hostGit } from '../../testing/host-git.ts';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const PATIENCE = { timeout: 30_000 };
const AS_OF = 'signalbox-as-of';

/** Requests of viewers. */
const READS = (id: string): readonly string[] => [
  '/api/commands',
  `/api/commands/${id}`,
  `/api/commands/${id}/output`,
  '/api/approvals',
  '/api/leases',
  '/api/queue',
  '/api/history/export',
  '/api/mode',
  '/api/stats',
  '/api/sessions',
];
const Sent = z.looseObject({
  id: z.string(),
  status: z.string(),
  approval: z.looseObject({ callHash: z.string() }).nullable(),
});

test('while Redis is away clients see the last known state, nothing is decided, and the same process continues afterwards', async () => {
  const redis = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  onTestFinished(() => redis.close());
  await using own = await openTestServer({
    files: { 'told.txt': 'hello\n' },
    apiKeys: { SIGNALBOX_REDIS_URL: redis.url },
  });
  hostGit(own.of.workspace, 'remote', 'add', 'origin', 'https://git.example/a.git');
  const done = await send(own, { tool: 'read_file', args: { path: 'told.txt' }, wait: true });
  const asked = await send(own, { tool: 'bash', args: { line: 'git push origin main' } });
  const stream = await openStream(own);
  const before = await readAll(own, done.id);

  await redis.kill();
  await stream.until((text) => text.includes('event: away'));
  expect(Object.keys(await readAll(own, done.id))).toEqual(Object.keys(before));
  const during = await own.ask('GET', `/api/commands/${asked.id}`);
  expect([during.status, Sent.parse(during.body).status]).toEqual([200, 'pending']);
  expect(Date.parse(during.headers.get(AS_OF) ?? '')).toBeLessThanOrEqual(Date.now());
  for (const path of READS(done.id)) {
    const { body, headers } = await own.ask('GET', path);
    expect([path, body]).toEqual([path, before[path]]);
    expect([path, headers.get(AS_OF)]).toEqual([path, expect.any(String)]);
  }

  const refused = [
    await own.ask('POST', '/api/commands', { body: { tool: 'read_file', args: { path: 'told.txt' } } }),
    await own.ask('POST', `/api/approvals/${asked.id}/grant`, {
      body: { callHash: asked.approval?.callHash },
    }),
    await own.ask('POST', `/api/commands/${asked.id}/cancel`, { body: {} }),
    await own.ask('PUT', '/api/mode', { body: { mode: 'LOCKDOWN', reason: 'a try' } }),
    await own.ask('GET', '/ready'),
  ];
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(refused[0]?.body).toMatchObject({
    code: 'redis-gone',
    next: [expect.anything(), expect.anything()],
  });
  expect(refused[4]?.body).toMatchObject({ why: [expect.stringMatching(/^Redis does not answer since 20/)] });
  expect((await own.ask('GET', '/health')).body).toMatchObject({
    status: 'ok',
    away: { why: 'Redis does not answer', since: expect.any(Number) as number },
  });
  expect((await own.ask('GET', '/metrics')).text).toContain('signalbox_backend_away 1');
  // A token never seen here is invalid, whether Redis is away or not.
  expect((await own.ask('GET', '/api/commands', { token: 'sbx_nobody' })).status).toBe(401);

  const direct = await own.of.call('openai', 'write_file', { path: 'new.txt', content: 'never' });
  expect([direct.outcome.kind, direct.failure?.code]).toEqual(['failed', 'redis-gone']);
  expect(existsSync(join(own.of.workspace, 'new.txt'))).toBe(false);
  // Requests are in the audit log all the same (F-W6).
  const [log = ''] = auditFilesOf(own.of.workspace);
  const line = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  const call = { path: 'new.txt', content: 'never' };
  expect(JSON.parse(line)).toMatchObject({ call, tool: 'write_file', error_code: 'redis-gone' });

  const terminal = createTestTerminal(own.of.workspace, { env: { SIGNALBOX_REDIS_URL: redis.url } });
  for (const [argv, shows] of [
    [['commands'], 'git push origin main'],
    [['history'], 'read_file told.txt'],
    [['status'], 'NORMAL · Redis unreachable'],
  ] as const) {
    const ran = await terminal.signalbox(...argv);
    expect([argv, ran.exit, ran.out]).toEqual([argv, 0, expect.stringContaining(shows)]);
    expect(ran.talk).toMatch(/^Redis is unreachable: showing the state as of 20\S+ \S+\n/);
  }
  const denied = await terminal.signalbox('deny', asked.id, '-m', 'no');
  expect([denied.exit, denied.talk]).toEqual([6, expect.stringContaining('Cannot reach Redis')]);

  await redis.restart();
  await stream.until((text) => text.includes('event: back'));
  await expect.poll(async () => (await own.ask('GET', '/ready')).status, PATIENCE).toBe(200);
  const after = await own.ask('GET', '/api/commands');
  expect([after.headers.get(AS_OF), after.body]).toEqual([null, before['/api/commands']]);
  const answer = await own.ask('POST', `/api/approvals/${asked.id}/refuse`, {
    body: { callHash: asked.approval?.callHash, reason: 'after all' },
  });
  expect(answer.status).toBe(200);
  expect((await own.ask('GET', `/api/commands/${asked.id}`)).body).toMatchObject({ status: 'denied' });
  // Nothing is granted for one lease lifetime, so a new call waits that long.
  expect(await send(own, { tool: 'read_file', args: { path: 'told.txt' } })).toMatchObject({
    status: 'queued',
  });
  const well = await terminal.signalbox('doctor', '--json');
  expect(well.out).toMatch(
    /"id":"coordinator","ok":true,"stops":false,"why":"cor_\w+ on \S+, process \d+, seen \d+:\d\d ago"/,
  );
}, 120_000);

test('a Redis without memory refuses with its own code and keeps the mode; work continues when there is memory (F-B5)', async () => {
  const redis = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => redis.close());
  await using own = await openTestServer({
    files: { 'told.txt': 'hello\n' },
    apiKeys: { SIGNALBOX_REDIS_URL: redis.url },
    settings: { tools: { shell: { transactional: false } } },
  });
  const running = own.of.submit('openai', 'bash', {
    args: {
      line: 'until [ -e go ]; do sleep 0.05; done; echo done',
    },
  });
  await own.of.event('command_started', ({ commandId }) => commandId === running.commandId);

  await redis.call('CONFIG', 'SET', 'maxmemory', '1');
  const calls = [
    ['bash', { line: 'cat told.txt' }],
    ['read_file', { path: 'told.txt' }],
    ['write_file', { path: 'new.txt', content: 'never' }],
  ] as const;
  // More than the number of internal failures that lowers the mode.
  for (const [tool, args] of [...calls, ...calls, ...calls, ...calls]) {
    const { outcome, failure } = await own.of.call('openai', tool, args);
    expect([tool, outcome.kind, failure?.code]).toEqual([tool, 'failed', 'redis-refused']);
  }
  expect(existsSync(join(own.of.workspace, 'new.txt'))).toBe(false);
  expect((await own.ask('GET', '/api/mode')).body).toMatchObject({ mode: 'NORMAL' });
  // It ends while its result can't be stored.
  writeFileSync(join(own.of.workspace, 'go'), '');

  await redis.call('CONFIG', 'SET', 'maxmemory', '0');
  expect((await running.result).outcome.kind).toBe('completed');
  expect((await own.of.call('openai', 'bash', { line: 'n=$(cat told.txt); echo "$n"' })).outcome.kind).toBe(
    'completed',
  );
  expect((await own.ask('GET', '/api/mode')).body).toMatchObject({ mode: 'NORMAL' });
}, 120_000);

async function send(own: TestServer, body: unknown): Promise<z.infer<typeof Sent>> {
  return Sent.parse((await own.ask('POST', '/api/commands', { body })).body);
}

async function readAll(own: TestServer, id: string): Promise<Readonly<Record<string, unknown>>> {
  const bodies = READS(id).map(async (path) => {
    const { status, body } = await own.ask('GET', path);
    expect([path, status]).toEqual([path, 200]);
    return [path, body] as const;
  });
  return Object.fromEntries(await Promise.all(bodies));
}

async function openStream({ url, token }: TestServer) {
  const response = await fetch(new URL('/api/events', url), {
    headers: { authorization: `Bearer ${token}` },
  });
  const reader = response.body?.getReader();
  onTestFinished(() => reader?.cancel().catch(() => undefined));
  const decoder = new TextDecoder();
  let text = '';
  return {
    async until(isThere: (heard: string) => boolean): Promise<void> {
      while (!isThere(text)) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) throw new Error(`the stream ended: ${text}`);
        text += decoder.decode(value, { stream: true });
      }
    },
  };
}
