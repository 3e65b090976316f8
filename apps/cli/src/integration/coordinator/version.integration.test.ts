import { readdirSync, readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { start } from '../../program/start.ts';
import { openTestServer } from '../../testing/open-test-server.ts';

const ROOT = new URL('../../../../..', import.meta.url);

test('every package, the program, its server, the dashboard and MCP report the same version (U: README)', async () => {
  const reported = new Map<string, unknown>();
  for (const folder of ['packages/', 'apps/'])
    for (const name of readdirSync(new URL(folder, ROOT))) {
      const manifest = readFileSync(new URL(`${folder}${name}/package.json`, ROOT), 'utf8');
      reported.set(folder + name, (JSON.parse(manifest) as { version: string }).version);
    }

  const stdout = { write: (text: string) => reported.set('--version', text.trim()) };
  const host = { argv: ['node', 'signalbox', '--version'], stdout } as unknown as NodeJS.Process;
  expect(await start(host)).toBe(0);

  await using own = await openTestServer();
  const health = await own.ask<{ version: string }>('GET', '/health');
  reported.set('/health', health.body.version);
  const description = await own.ask<{ info: { version: string } }>('GET', '/openapi.json');
  reported.set('/openapi.json', description.body.info.version);
  // The dashboard shows it at the bottom of its side bar.
  reported.set('dashboard', (await own.ask<{ version: string }>('GET', '/api/snapshot')).body.version);
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${own.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', own.url), { requestInit }));
  reported.set('MCP', client.getServerVersion()?.version);
  await client.close();

  expect(reported.get('--version')).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Object.fromEntries(reported)).toEqual(
    Object.fromEntries([...reported.keys()].map((teller) => [teller, reported.get('--version')])),
  );
});
