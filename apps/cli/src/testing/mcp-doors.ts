import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ProviderId } from '@signalbox/core';
import { expect } from 'vitest';
import { MAIN } from './agent.ts';
import type { TestServer } from './open-test-server.ts';

/** An agent that speaks MCP to a server over HTTP, in either of its two eras. */
export async function overHttp(own: TestServer, mode: 'legacy' | { pin: string }): Promise<Client> {
  const provider = ProviderId.parse('codex');
  const made = { kind: 'made', name: provider, role: 'provider', provider, lifetimeMs: null } as const;
  const { token } = await own.of.tokens.create(made);
  const client = new Client({ name: 'codex', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', own.url), { requestInit }));
  return client;
}

/** An agent with its own `signalbox mcp`. */
export async function overStdio(own: TestServer): Promise<Client> {
  const args = [MAIN, '-C', own.of.workspace, 'mcp', '--provider', 'codex'];
  const client = new Client({ name: 'codex', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return client;
}

/** Checks an answer's shape, and returns what the model reads. Notes about other calls are in separate blocks. */
export function modelReads(answer: unknown) {
  const { content, structuredContent, _meta } = answer as CallToolResult;
  expect(structuredContent).toBeUndefined();
  const [block, ...others] = content;
  const notes = others.map((other) => (other.type === 'text' ? other.text : other.type));
  if (block?.type !== 'text') throw new Error('no text');
  const { id } = { ..._meta }['signalbox/command'] as { id: string };
  const lines = block.text.split('\n');
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  expect([first, last]).toEqual([
    expect.stringContaining(`[signalbox] command ${id} · `),
    expect.stringContaining(`[signalbox] end of command ${id} · `),
  ]);
  return { text: block.text, id, first, last, notes };
}
