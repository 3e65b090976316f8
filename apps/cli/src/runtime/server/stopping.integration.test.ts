import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import type { TestCommandView } from './testing/command-view.ts';

/** An event stream, from its first byte on. */
async function openStream(own: TestServer): Promise<{ readonly rest: Promise<string> }> {
  const response = await fetch(new URL('/api/events', own.url), {
    headers: { authorization: `Bearer ${own.token}` },
  });
  return { rest: response.text() };
}

test('a stopping server answers waiting requests with the current state, and ends streams with a message', async () => {
  await using own = await openTestServer();
  const stream = await openStream(own);
  const sent = own.ask<TestCommandView>('POST', '/api/commands', {
    body: { tool: 'bash', args: { line: 'sleep 60' }, wait: true },
  });
  const { commandId } = await own.of.event('command_started');
  const looked = own.ask<TestCommandView>('GET', `/api/commands/${commandId}?wait=600000`);
  // Sent after the two waiting requests, so those have arrived by now.
  for (let i = 0; i < 3; i++) await own.ask('GET', '/health');
  await own.close();
  expect(await sent).toMatchObject({ status: 202, body: { id: commandId, state: 'running' } });
  expect(await looked).toMatchObject({ status: 200, body: { id: commandId, state: 'running' } });
  expect(await stream.rest).toMatch(/event: bye\ndata: \{"why":"stopping"\}\n\n$/);
  await expect(fetch(new URL('/health', own.url))).rejects.toThrow('fetch failed');
});

test('a client that sends half a request delays neither others nor a stop', async () => {
  await using own = await openTestServer();
  const slow = connect(Number(new URL(own.url).port), '127.0.0.1');
  const gone = new Promise<void>((resolve) => slow.on('close', () => resolve()));
  slow.on('error', () => undefined).resume();
  const head = ['POST /api/commands HTTP/1.1', 'Host: 127.0.0.1', `Authorization: Bearer ${own.token}`];
  slow.write(`${head.join('\r\n')}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"tool":`);
  expect((await own.ask('GET', '/health')).status).toBe(200);
  await own.close();
  await gone;
});
