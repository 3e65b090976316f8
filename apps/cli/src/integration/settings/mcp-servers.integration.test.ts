import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createScriptedServer, startHttpServer } from '@signalbox/mcp-tools/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NOTES_SERVER, notesServerFiles } from '../../commands/agents/testing/notes-server.ts';
import { SHELL_SERVER_FILES, shellServer } from '../../commands/agents/testing/shell-server.ts';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;
const NOTES_FILES = await notesServerFiles();
/** A server with the tool `run`, which needs no file of the workspace. */
const SHELL = {
  command: process.execPath,
  args: ['--input-type=module', '-e', SHELL_SERVER_FILES['shell-server.mjs']],
  policy: 'auto',
  category: 'execute',
};

async function open(
  server: object,
  {
    settings = FREE,
    apiKeys = {},
    until = 'mcp__one__',
  }: Readonly<{ settings?: object; apiKeys?: Readonly<Record<string, string>>; until?: string }> = {},
): Promise<TestServer> {
  const own = await openTestServer({
    files: { ...NOTES_FILES, ...SHELL_SERVER_FILES, 'a.txt': 'first\n', 'sub/b.txt': 'second\n' },
    settings: { ...settings, mcp_servers: { one: server } },
    apiKeys,
  });
  const { tools } = own.of.runtime.coordinator;
  await vi.waitFor(() => expect(tools.list().some(({ name }) => name.startsWith(until))).toBe(true), 20_000);
  return own;
}

const run = async (own: TestServer, line: string): Promise<string> =>
  (await own.of.call('openai', 'mcp__one__run', { line })).content;

test('a program starts with its arguments, variables and folder (setting: mcp_servers.*.command, mcp_servers.*.args, mcp_servers.*.env, mcp_servers.*.env_from, mcp_servers.*.cwd)', async () => {
  await using own = await open(
    {
      ...SHELL,
      args: ['../shell-server.mjs'],
      cwd: 'sub',
      env: { GREETING: 'hello there' },
      env_from: ['MY_TOKEN'],
    },
    { apiKeys: { MY_TOKEN: 'swordfish-and-more' } },
  );
  const said = await run(own, 'echo $GREETING; cat b.txt; echo "${#MY_TOKEN} ${OTHER-none}"');
  expect(said).toContain('\nhello there\nsecond\n18 none\n');
});

test('a program sees of the workspace what its server may (setting: mcp_servers.*.workspace)', async () => {
  const seen: unknown[] = [];
  for (const workspace of ['none', 'read', 'write']) {
    await using own = await open({ ...SHELL, workspace });
    const said = await run(own, 'cat a.txt; echo x > made.txt');
    seen.push([said.includes('first'), existsSync(join(own.of.workspace, 'made.txt'))]);
  }
  expect(seen).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test('a program reaches other servers only if its server may (setting: mcp_servers.*.network)', async () => {
  const website = createServer((_, response) => void response.end('hello\n'));
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void website.close());
  const { port } = website.address() as AddressInfo;
  const seen: boolean[] = [];
  for (const network of [false, true]) {
    await using own = await open({ ...SHELL, network });
    seen.push((await run(own, `curl -sS http://127.0.0.1:${port}/`)).includes('hello'));
  }
  expect(seen).toEqual([false, true]);
});

test('without the sandbox a program has all rights of the user (setting: mcp_servers.*.sandbox)', async () => {
  const outside = join(homedir(), `signalbox-outside-${process.pid}`);
  onTestFinished(() => rmSync(outside, { force: true }));
  const seen: boolean[] = [];
  for (const sandbox of [true, false]) {
    await using own = await open({ ...SHELL, sandbox });
    await run(own, `echo x > ${outside}`);
    seen.push(existsSync(outside));
  }
  expect(seen).toEqual([false, true]);
});

test('a program has so many processes and so much memory (setting: mcp_servers.*.max_memory_mb, mcp_servers.*.max_processes)', async () => {
  const spawns = `const { spawn } = require('child_process'); let failed = 0; for (let n = 0; n < 90; n++) spawn('sleep', ['1']).on('error', () => failed++); setTimeout(() => console.log(failed > 0 ? 'too many' : 'enough'), 500)`;
  const fills = `const all = []; for (let n = 0; n < 300; n++) all.push(Buffer.alloc(1e6, 1)); console.log('filled')`;
  const seen: unknown[] = [];
  for (const limits of [{}, { max_processes: 60 }, { max_memory_mb: 200 }]) {
    await using own = await open({ ...SHELL, ...limits });
    const spawned = await run(own, `${process.execPath} -e "${spawns}"`);
    const filled = await run(own, `${process.execPath} -e "${fills}"`);
    seen.push([spawned.includes('too many'), filled.includes('filled')]);
  }
  expect(seen).toEqual([
    [false, true],
    [true, true],
    [false, false],
  ]);
});

test('a server at an address gets its headers, and the secrets that the settings name (setting: mcp_servers.*.url, mcp_servers.*.headers, mcp_servers.*.headers_from, mcp_servers.*.token_from)', async () => {
  const server = await startHttpServer(() => createScriptedServer({}), { era: '2025' });
  onTestFinished(() => server.close());
  await using own = await open(
    {
      url: server.url,
      headers: { 'x-team': 'shop' },
      headers_from: { 'x-secret': 'MY_SECRET' },
      token_from: 'MY_TOKEN',
      policy: 'auto',
    },
    { apiKeys: { MY_SECRET: 'swordfish-and-more', MY_TOKEN: 'marlin-and-more' } },
  );
  expect(await own.of.call('openai', 'mcp__one__echo', { text: 'a' })).toMatchObject({ output: 'a' });
  expect(server.headers.at(-1)).toMatchObject({
    'x-team': 'shop',
    'x-secret': 'swordfish-and-more',
    authorization: 'Bearer marlin-and-more',
  });
});

test('a server that is off is not started, and one of its tools can be left out (setting: mcp_servers.*.enabled, mcp_servers.*.tools)', async () => {
  await using own = await openTestServer({
    files: NOTES_FILES,
    settings: {
      ...FREE,
      mcp_servers: {
        off: { ...NOTES_SERVER, enabled: false },
        one: { ...NOTES_SERVER, tools: { rename: { enabled: false } } },
      },
    },
  });
  const names = async (): Promise<readonly string[]> => {
    const { body } = await own.ask<{ tools: readonly { name: string }[] }>('GET', '/api/tools');
    return body.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__'));
  };
  await vi.waitFor(async () => expect(await names()).toContain('mcp__one__echo'), 20_000);
  expect((await names()).filter((name) => /off|rename/.test(name))).toEqual([]);
});

test('a call that takes too long is ended (setting: mcp_servers.*.timeout)', async () => {
  await using own = await open({ ...NOTES_SERVER, timeout: '300ms' });
  const { success, content } = await own.of.call('openai', 'mcp__one__hang', {});
  expect([success, content]).toEqual([false, expect.stringContaining('300')]);
});

test('a server that needs longer to start is reported (setting: mcp_servers.*.start_timeout)', async () => {
  const seen: unknown[] = [];
  for (const start_timeout of ['60s', '300ms']) {
    const workspace = ownWorkspace(SHELL_SERVER_FILES);
    const one = { ...shellServer('sleep 1'), start_timeout };
    await writeOwnSettings(workspace, { text: JSON.stringify({ mcp_servers: { one } }) });
    const { out } = await createTestTerminal(workspace).signalbox('doctor');
    seen.push(/^(.) mcp one/m.exec(out)?.[1]);
  }
  expect(seen).toEqual(['✓', '✗']);
});

test.for<
  Readonly<{ key: string; settings: object; without: object; with: object; asks: readonly boolean[] }>
>([
  {
    key: 'mcp_servers.*.policy',
    settings: {},
    without: { category: 'read_only' },
    with: { category: 'read_only', policy: 'auto' },
    asks: [true, false],
  },
  {
    key: 'mcp_servers.*.trust_annotations',
    settings: {},
    without: {},
    with: { trust_annotations: true },
    asks: [true, false],
  },
  {
    key: 'mcp_servers.*.category',
    settings: { approval: { prompt_on_warning: true } },
    without: { policy: 'auto', category: 'read_only' },
    with: { policy: 'auto', category: 'execute' },
    asks: [false, true],
  },
  {
    key: 'mcp_servers.*.risk',
    settings: { approval: { prompt_on_warning: false } },
    without: { policy: 'auto', category: 'network', risk: 'low' },
    with: { policy: 'auto', category: 'network', risk: 'high' },
    asks: [false, true],
  },
])('a call needs approval as the settings of its server say (setting: $key)', async (row) => {
  const asks: boolean[] = [];
  for (const words of [row.without, row.with]) {
    await using own = await open({ ...NOTES_SERVER, ...words }, { settings: row.settings });
    const sent = own.of.submit('openai', 'mcp__one__echo', { args: { text: 'a' } });
    asks.push((await sent.resting) === 'pending');
    await own.of.runtime.coordinator.cancel(sent.commandId, { by: 'ana', reason: 'seen' });
  }
  expect(asks).toEqual(row.asks);
});

test('a call claims the paths that its server reads and writes (setting: mcp_servers.*.reads, mcp_servers.*.writes)', async () => {
  const paths = { reads: ['sub/**'], writes: ['a.txt'] };
  await using own = await open({ ...SHELL, workspace: 'write', ...paths });
  const { commandId } = await own.of.call('openai', 'mcp__one__run', { line: 'true' });
  const { body } = await own.ask<{ claims: unknown }>('GET', `/api/commands/${commandId}`);
  expect(body.claims).toEqual([
    { resource: 'tree:sub', access: 'read' },
    { resource: 'tree:a.txt', access: 'write' },
  ]);
});
