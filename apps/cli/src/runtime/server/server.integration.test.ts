import type { TestCommandView } from './testing/command-view.ts';
import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { ASKING, echo, waitingCommand } from './testing/waiting-command.ts';

type Page = { commands: TestCommandView[]; next: string | null };

test('a call over HTTP goes through the same path as all others, and returns its result (S003-08)', async () => {
  await using own = await openTestServer();
  const sent = await own.ask<TestCommandView>('POST', '/api/commands', { body: echo('echo over http') });
  expect(sent.status).toBe(200);
  expect(sent.body).toMatchObject({ status: 'completed', result: { stdout: 'over http\n', exitCode: 0 } });
  expect(own.of.auditLines().at(-1)).toMatchObject({ result: 'completed' });
  const again = await own.ask<TestCommandView>('GET', `/api/commands/${sent.body.id}`);
  expect(again.body).toEqual(sent.body);
});

test('pages of the list contain every command exactly once, newest first', async () => {
  await using own = await openTestServer();
  const sent: string[] = [];
  for (let i = 0; i < 9; i++) {
    sent.push((await own.ask<TestCommandView>('POST', '/api/commands', { body: echo(`echo ${i}`) })).body.id);
  }
  const seen: string[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await own.ask<Page>('GET', `/api/commands?limit=4${cursor}`);
    seen.push(...body.commands.map(({ id }) => id));
    if (body.next === null) break;
    cursor = `&cursor=${body.next}`;
  }
  expect(seen.toSorted()).toEqual(sent.toSorted());
  expect(new Set(seen).size).toBe(9);
  const found = await own.ask<Page>(
    'GET',
    '/api/commands?text=echo%207&outcome=completed&state=done&level=safe',
  );
  expect(found.body.commands.map(({ id }) => id)).toEqual([sent[7]]);
  expect((await own.ask('GET', '/api/commands?cursor=nonsense')).status).toBe(400);
  expect((await own.ask('GET', '/api/commands?state=nonsense')).status).toBe(400);
});

test('output is returned in parts, and no part splits a character (S003-78)', async () => {
  await using own = await openTestServer();
  const line = "seq -f 'ä😀%05g' 30000";
  const { body } = await own.ask<TestCommandView>('POST', '/api/commands', { body: echo(line) });
  let text = '';
  let from = 0;
  for (;;) {
    const part = await own.ask<{ text: string; to: number; totalBytes: number; complete: boolean }>(
      'GET',
      `/api/commands/${body.id}/output?from=${from}&length=70001`,
    );
    text += part.body.text;
    from = part.body.to;
    expect(part.body.complete).toBe(true);
    if (from >= part.body.totalBytes) break;
  }
  expect(text).not.toContain('\uFFFD');
  expect(text.trimEnd().split('\n')).toHaveLength(30_000);
  const end = await own.ask<{ text: string }>('GET', `/api/commands/${body.id}/output?from=-14`);
  expect(end.body.text.endsWith('30000\n')).toBe(true);
});

test('the history is exported as JSON Lines and as a CSV that no spreadsheet executes', async () => {
  await using own = await openTestServer();
  await own.ask('POST', '/api/commands', {
    body: { tool: 'read_file', args: { path: '=cmd|calc,"x"' }, wait: true },
  });
  await own.ask('POST', '/api/commands', { body: echo('echo exported') });
  const lines = (await own.ask('GET', '/api/history/export')).text.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as TestCommandView).call.tool)).toEqual(['bash', 'read_file']);
  const found = await own.ask('GET', '/api/history/export?text=exported&level=safe');
  expect(found.text.trimEnd().split('\n')).toHaveLength(1);
  const table = await own.ask('GET', '/api/history/export?format=csv');
  expect(table.headers.get('content-disposition')).toContain('signalbox-history.csv');
  const rows = table.text.trimEnd().split('\n');
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/^id,submitted_at/);
  expect(table.text).not.toMatch(/(^|,)[=+@]/m);
});

test('only an operator sets the mode, with a reason and a name', async () => {
  await using own = await openTestServer();
  expect((await own.ask('PUT', '/api/mode', { body: { mode: 'LOCKDOWN', reason: ' ' } })).status).toBe(400);
  await own.ask('PUT', '/api/mode', { body: { mode: 'LOCKDOWN', reason: 'an incident' } });
  expect(await own.ask('GET', '/api/mode')).toMatchObject({
    body: { mode: 'LOCKDOWN', reason: 'an incident' },
  });
  const denied = await own.ask<TestCommandView>('POST', '/api/commands', {
    body: { tool: 'write_file', args: { path: 'a', content: 'b' }, wait: true },
  });
  expect(denied.body.status).toBe('denied');
});

test('a line is explained without being run', async () => {
  await using own = await openTestServer();
  const { body } = await own.ask('POST', '/api/policy/explain', { body: { line: 'git push --force' } });
  expect(body).toMatchObject({ verdict: { level: 'dangerous' }, ruling: { kind: 'ask' } });
  expect((await own.ask<Page>('GET', '/api/commands')).body.commands).toEqual([]);
  const outside = await own.ask('POST', '/api/policy/explain', { body: { line: 'ls', cwd: '/etc' } });
  expect(outside).toMatchObject({ status: 400, body: { code: 'path-outside' } });
});

test('Prometheus metrics count finished and waiting commands (S000-69)', async () => {
  await using own = await openTestServer(ASKING);
  for (const line of ['echo counted', 'exit 3']) {
    await own.ask('POST', '/api/commands', { body: echo(line) });
  }
  await waitingCommand(own, 'touch counted');
  const { text } = await own.ask('GET', '/metrics');
  expect(text).toContain('signalbox_commands_total{provider="you",tool="bash",outcome="completed"} 1');
  expect(text).toContain('signalbox_commands_total{provider="you",tool="bash",outcome="failed"} 1');
  // (S003-79) Includes commands that ended before this process, and those dropped from the history.
  expect(text).toContain('signalbox_history_commands{provider="you",tool="bash",outcome="completed"} 1');
  expect(text).toContain('signalbox_approvals_pending 1');
  expect(text).toContain('signalbox_mode{mode="NORMAL"} 1');
});

test('names made up by a client are not separate series in the metrics', async () => {
  await using own = await openTestServer({
    settings: {
      providers: {
        mine: { api: 'openai-chat', base_url: 'http://127.0.0.1:9/v1', model: 'm', api_key_env: null },
      },
    },
  });
  const call = (tool: string, provider: string) =>
    own.ask('POST', '/api/commands', { body: { tool, args: { text: 'x' }, provider, wait: true } });
  for (let n = 0; n < 60; n += 1) await call(`made_up_${n}`, `stranger-${n}`);
  for (const provider of ['mine', 'you', 'codex', 'stranger-59']) await call('echo', provider);
  const { text } = await own.ask('GET', '/metrics');
  const valuesOf = (metric: string, label: string) =>
    new Set(
      text
        .split('\n')
        .filter((row) => row.startsWith(`${metric}{`))
        .map((row) => new RegExp(`${label}="([^"]*)"`).exec(row)?.[1]),
    );
  for (const metric of ['signalbox_commands_total', 'signalbox_history_commands']) {
    expect(valuesOf(metric, 'tool')).toEqual(new Set(['echo', 'other']));
    // The first made-up names take no series from other names.
    expect(valuesOf(metric, 'provider')).toEqual(new Set(['mine', 'you', 'codex', 'other']));
  }
  expect(text).toContain('signalbox_commands_total{provider="other",tool="echo",outcome="completed"} 1');
  expect(text).toContain('signalbox_history_commands{provider="other",tool="echo",outcome="completed"} 1');
  const made = [...text.matchAll(/_total\{provider="[^"]*",tool="other",outcome="\w+"\} (\d+)/g)];
  expect(made.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(60);
});

test('an invalid request is rejected with its position, and reveals nothing internal', async () => {
  await using own = await openTestServer();
  const bad = await own.ask<{ why: string[] }>('POST', '/api/commands', {
    body: { tool: 7, args: 3 },
  });
  expect(bad).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  expect(bad.body.why.join(' ')).toContain('/tool');
  expect(bad.body.why.join(' ')).toContain('/args');
  expect((await own.ask('GET', '/api/nothing')).status).toBe(404);
  const plain = await own.ask('POST', '/api/commands', {
    body: {},
    headers: { 'content-type': 'text/plain' },
  });
  expect(plain.status).toBe(415);
  const names = Array.from({ length: 60_000 }, (_, at) => [`name${at}`, at]);
  const many = await own.ask('POST', '/api/commands', {
    body: { tool: 'bash', args: Object.fromEntries(names) },
  });
  expect(many).toMatchObject({ status: 400, body: { code: 'too-many-values' } });
  const large = await own.ask('POST', '/api/commands', {
    body: { tool: 'bash', args: { line: 'x'.repeat(12 << 20) } },
  });
  expect(large.status).toBe(413);
});

test('no client finds a server that has ended', async () => {
  await using own = await openTestServer();
  await own.close();
  await expect(fetch(new URL('/health', own.url))).rejects.toThrow('fetch failed');
  expect(await own.of.tokens.list()).toEqual([]);
});
