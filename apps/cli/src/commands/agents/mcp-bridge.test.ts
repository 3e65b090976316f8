import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ProviderId, UnavailableError } from '@signalbox/core';
import {
  aCommandId,
  aCommandRecord,
  aSessionId,
  createManualClock,
  createSeededRandom,
  ended,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { createMcpBridge } from './mcp-bridge.ts';

const ID = aCommandId();
const WAITING = { ...aCommandRecord({ id: ID, state: 'running' }), status: 'running' };
const DONE = { ...ended(aCommandRecord({ id: ID })), status: 'completed' };
const LOST = { ...DONE, status: 'failed' };
const Attended = z.object({ wait: z.int().positive() });
const Sent = z.object({ callId: z.string() });
const STAYS = new AbortController().signal;
const CALLER = { provider: ProviderId.parse('codex'), sessionId: aSessionId() };
const random = createSeededRandom(1);

type Answer = (asked: Readonly<{ line: string; body: unknown; response: ServerResponse }>) => void;

/** A coordinator that records each request as `POST /api/commands`, without its query. */
async function open(answer: Answer, pid = 1) {
  const heard: string[] = [];
  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const line = `${request.method} ${request.url?.split('?')[0]}`;
    heard.push(line);
    answer({ line, body: body === '' ? null : JSON.parse(body), response });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const access: LocalAccess = { url: `http://127.0.0.1:${port}`, token: 'token', pid };
  return {
    access,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const tell = (response: ServerResponse, view: object): void => void response.end(JSON.stringify(view));
const GET = `GET /api/commands/${ID}`;
const ATTEND = `POST /api/commands/${ID}/attend`;

/** To these coordinators, in sequence. */
function bridgeTo(accesses: readonly LocalAccess[], clock = createManualClock()) {
  const left = [...accesses];
  const connect = async (): Promise<LocalAccess> => {
    const [next] = left.length > 1 ? left.splice(0, 1) : left;
    if (next === undefined) throw new UnavailableError('no-coordinator', 'Cannot connect');
    return next;
  };
  return createMcpBridge(connect, { clock, random, env: {}, directory: '/nowhere' });
}

test('a long-running command is polled every minute: no HTTP client waits 10 minutes for a response', async () => {
  const clock = createManualClock();
  const asked: number[] = [];
  await using server = await open(({ line, body, response }) => {
    const waitMs = line === ATTEND ? Attended.parse(body).wait : 0;
    asked.push(waitMs);
    void clock.advance(waitMs).then(() => tell(response, clock.monotonic() < 300_000 ? WAITING : DONE));
  });
  const bridge = bridgeTo([server.access], clock);
  expect(await bridge.wait(ID, 150_000, STAYS)).toMatchObject({ status: 'running' });
  expect(asked.splice(0)).toEqual([60_000, 60_000, 30_000, 0]);
  expect(await bridge.wait(ID, 600_000, STAYS)).toMatchObject({ status: 'completed' });
  expect(asked).toEqual([60_000, 60_000, 60_000]);
});

test('when a coordinator dies while an agent waits, its successor reports how the command ended (A-B5)', async () => {
  await using first = await open(({ response }) => response.destroy());
  await using second = await open(({ response }) => tell(response, LOST), 2);
  expect(await bridgeTo([first.access, second.access]).wait(ID, 600_000, STAYS)).toMatchObject({
    status: 'failed',
  });
  expect([first.heard, second.heard]).toEqual([[ATTEND], [GET]]);
});

test('an agent that cancels its wait gets the command’s current state at once', async () => {
  const leave = new AbortController();
  await using server = await open(({ line, response }) => {
    if (line === GET) tell(response, WAITING);
    else leave.abort();
  });
  expect(await bridgeTo([server.access]).wait(ID, 600_000, leave.signal)).toMatchObject({
    status: 'running',
  });
});

const CALL = { tool: 'bash', args: { line: 'make' } } as const;
const SEND = 'POST /api/commands';
const LIST = 'GET /api/commands';

test('a call that the dead coordinator had stored is followed, and not sent again (A-B5)', async () => {
  let callId = '';
  await using first = await open(({ body, response }) => {
    ({ callId } = Sent.parse(body));
    response.destroy();
  });
  await using second = await open(({ line, response }) => {
    const stored = { ...LOST, call: { ...LOST.call, callId } };
    tell(response, line === LIST ? { commands: [DONE, stored], next: null } : stored);
  }, 2);
  expect(await bridgeTo([first.access, second.access]).send(CALL, CALLER)).toMatchObject({
    status: 'failed',
  });
  expect(second.heard).toEqual([LIST, GET]);
});

test('a call that it had not stored is sent once to its successor', async () => {
  await using first = await open(({ response }) => response.destroy());
  await using second = await open(
    ({ line, response }) => tell(response, line === LIST ? { commands: [DONE], next: null } : WAITING),
    2,
  );
  expect(await bridgeTo([first.access, second.access]).send(CALL, CALLER)).toMatchObject({
    status: 'running',
  });
  expect(second.heard).toEqual([LIST, SEND]);
});

test('if the same coordinator answers again, a call unknown to it may still arrive: it is not sent again', async () => {
  await using server = await open(({ line, response }) =>
    line === LIST ? tell(response, { commands: [], next: null }) : response.destroy(),
  );
  await expect(bridgeTo([server.access]).send(CALL, CALLER)).rejects.toMatchObject({
    code: 'answer-unknown',
    why: ['it may have run'],
  });
  expect(server.heard).toEqual([SEND, LIST]);
});

test('an invalid call is reported as it is, without a retry', async () => {
  await using server = await open(({ response }) => {
    response.statusCode = 400;
    tell(response, { title: 'Cannot', code: 'unfit', why: [], next: [] });
  });
  await expect(bridgeTo([server.access]).send(CALL, CALLER)).rejects.toMatchObject({ code: 'unfit' });
  expect(server.heard).toEqual([SEND]);
});

test('while the next coordinator starts, a call waits for it, for 30 s at most (A-B5)', async () => {
  await using first = await open(({ response }) => response.destroy());
  await using second = await open(({ response }) => tell(response, DONE), 2);
  const clock = createManualClock();
  let tries = 0;
  const starting = (until: number) =>
    createMcpBridge(
      async () => {
        tries += 1;
        if (tries === 1) return first.access;
        if (clock.monotonic() < until) throw new UnavailableError('workspace-held', 'Cannot lead yet');
        return second.access;
      },
      {
        clock: { ...clock, timer: (ms, wake) => (void clock.advance(ms).then(wake), () => undefined) },
        random,
        env: {},
        directory: '/nowhere',
      },
    );
  expect(await starting(2000).wait(ID, 600_000, STAYS)).toMatchObject({ status: 'completed' });
  tries = 0;
  await expect(starting(Infinity).wait(ID, 600_000, STAYS)).rejects.toMatchObject({ code: 'workspace-held' });
  expect(clock.monotonic()).toBe(32_000);
});
