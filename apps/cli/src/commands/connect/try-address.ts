import { errorText } from '@signalbox/core';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { StartAttempt } from './try-starter.ts';

/** Lists the tools of the server at that address, as an agent with this token will. */
export async function tryAddress(url: string, token: string, now: () => number): Promise<StartAttempt> {
  const startedAt = now();
  const client = new Client({ name: 'signalbox connect', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const { tools } = await client.listTools();
    return { kind: 'answered', tools: tools.map(({ name }) => name), tookMs: now() - startedAt };
  } catch (error) {
    return { kind: 'failed', why: errorText(error) };
  } finally {
    await client.close().catch(() => undefined);
  }
}
