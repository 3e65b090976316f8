import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { aCommandId, aCommandRecord, createManualClock, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { LocalAccess } from './local-access.ts';
import { createRemoteMcpHouse } from './remote-mcp-house.ts';

const ID = aCommandId();
const WAITING = { ...aCommandRecord({ id: ID, state: 'running' }), status: 'running' };
const DONE = { ...ended(aCommandRecord({ id: ID })), status: 'completed' };
const Attended = z.object({ wait: z.int().positive() });
const STAYS = new AbortController().signal;

/** A server that is asked how a command stands. */
async function open(answer: (response: ServerResponse, waitMs: number) => void) {
  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.url === `/api/commands/${ID}`) answer(response, 0);
    else if (request.url === `/api/commands/${ID}/attend`)
      answer(response, Attended.parse(JSON.parse(body)).wait);
    else response.end('{}');
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const access: LocalAccess = { url: `http://127.0.0.1:${port}`, token: 'token', pid: 1 };
  return {
    access,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const tell = (response: ServerResponse, view: object): void => void response.end(JSON.stringify(view));

test('a command that waits for long is asked for every minute: no HTTP client waits 10 minutes for an answer', async () => {
  const clock = createManualClock();
  const asked: number[] = [];
  await using server = await open((response, waitMs) => {
    asked.push(waitMs);
    void clock.advance(waitMs).then(() => tell(response, clock.monotonic() < 300_000 ? WAITING : DONE));
  });
  const access = async () => server.access;
  const house = createRemoteMcpHouse({ access, look: () => server.access }, clock);
  expect(await house.wait(ID, 150_000, STAYS)).toMatchObject({ status: 'running' });
  expect(asked.splice(0)).toEqual([60_000, 60_000, 30_000, 0]);
  expect(await house.wait(ID, 600_000, STAYS)).toMatchObject({ status: 'completed' });
  expect(asked).toEqual([60_000, 60_000, 60_000]);
});

test('a server that dies while an agent waits is followed by the next one, which knows how the command stands', async () => {
  await using first = await open((response) => response.destroy());
  await using second = await open((response) => tell(response, DONE));
  const servers = [first.access, second.access];
  const house = createRemoteMcpHouse(
    { access: async () => servers.shift() ?? second.access, look: () => second.access },
    createManualClock(),
  );
  expect(await house.wait(ID, 600_000, STAYS)).toMatchObject({ status: 'completed' });
});

test('an agent that leaves is told at once how its command stands', async () => {
  const leave = new AbortController();
  await using server = await open((response, waitMs) => {
    if (waitMs === 0) tell(response, WAITING);
    else leave.abort();
  });
  const access = async () => server.access;
  const house = createRemoteMcpHouse({ access, look: () => server.access }, createManualClock());
  expect(await house.wait(ID, 600_000, leave.signal)).toMatchObject({ status: 'running' });
});
