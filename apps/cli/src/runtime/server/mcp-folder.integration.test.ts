import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ProviderId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';

const FILES = { 'packages/api/lib/a.txt': 'of the api\n', 'a.txt': 'of the root\n', 'ünï/b.txt': 'b\n' };
const NOTE =
  '[signalbox] You started in packages/api, and paths and lines count from the workspace\'s root: a file of yours is packages/api/FILE here, and signalbox_bash takes {"cwd": "packages/api"}';

type Era = 'legacy' | { readonly pin: '2026-07-28' };

/** An agent at a URL that reports these roots on request; null: it reports none. */
async function agentAt(
  own: TestServer,
  path: string,
  { roots = null, mode = 'legacy' }: { roots?: readonly string[] | null; mode?: Era } = {},
) {
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'codex',
    role: 'provider',
    provider: ProviderId.parse('codex'),
    lifetimeMs: null,
  });
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: roots === null ? {} : { roots: {} } },
  );
  let asked = 0;
  if (roots !== null)
    client.setRequestHandler('roots/list', () => {
      asked += 1;
      return { roots: roots.map((uri) => ({ uri })) };
    });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, own.url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  const call = async (tool: string, args: Record<string, unknown>): Promise<readonly string[]> => {
    const { content } = await client.callTool({ name: `signalbox_${tool}`, arguments: args });
    return content.map((block) => (block.type === 'text' ? block.text : ''));
  };
  return { client, call, asked: () => asked };
}

test.for(['legacy', { pin: '2026-07-28' }] as const)(
  'over HTTP an agent whose address names its folder is told once what paths are relative to: %j',
  async (mode) => {
    await using own = await openTestServer({
      files: FILES,
      settings: { approval: { approval_mode: 'allow_all' } },
    });
    const agent = await agentAt(own, '/mcp?folder=packages/api', { mode });
    expect(agent.client.getInstructions()).toMatch(
      /^Paths and lines count from the workspace's root, not from packages\/api, where you started\./,
    );
    expect(await agent.call('read_file', { path: 'a.txt' })).toEqual([
      expect.stringContaining('\nof the root\n'),
      NOTE,
    ]);
    expect(await agent.call('read_file', { path: 'packages/api/lib/a.txt' })).toHaveLength(1);
    expect((await agent.call('write_file', { path: 'lib/new.txt', content: 'x' })).join('\n')).toContain(
      'written to lib/new.txt at the root of the workspace, not packages/api/lib/new.txt',
    );
    await agent.client.close();
  },
);

test('an agent that reports its one root is asked for it once, with its first call', async () => {
  await using own = await openTestServer({ files: FILES });
  const root = pathToFileURL(join(own.of.workspace, 'packages/api')).href;
  const agent = await agentAt(own, '/mcp', { roots: [root] });
  expect(await agent.call('read_file', { path: 'a.txt' })).toContain(NOTE);
  expect(await agent.call('read_file', { path: 'a.txt' })).toHaveLength(1);
  expect(agent.asked()).toBe(1);
  await agent.client.close();
  const other = await agentAt(own, '/mcp', { roots: [`${pathToFileURL(own.of.workspace).href}/ünï`] });
  expect((await other.call('read_file', { path: 'a.txt' })).join('\n')).toContain('You started in ünï');
  await other.client.close();
});

test('a folder outside the workspace is never mentioned', async () => {
  await using own = await openTestServer({ files: FILES });
  const { workspace } = own.of;
  symlinkSync('/usr', join(workspace, 'out'));
  const uriOf = (path: string): string => pathToFileURL(join(workspace, path)).href;
  for (const [path, roots] of [
    ['/mcp?folder=../..', null],
    ['/mcp?folder=nosuch', null],
    ['/mcp?folder=out', null],
    ['/mcp?folder=a.txt', null],
    ['/mcp?folder=%00', null],
    ['/mcp', [uriOf('packages/api'), uriOf('ünï')]],
    ['/mcp', ['file:///usr']],
    ['/mcp', ['https://x.example/packages/api']],
    ['/mcp', ['file:///%ff']],
    ['/mcp', [uriOf('.')]],
    ['/mcp', []],
  ] as const) {
    const agent = await agentAt(own, path, { roots });
    expect([path, roots, agent.client.getInstructions()?.slice(0, 8)]).toEqual([path, roots, 'Use the ']);
    expect([path, roots, await agent.call('read_file', { path: 'a.txt' })]).toEqual([
      path,
      roots,
      [expect.any(String)],
    ]);
    await agent.client.close();
  }
});
