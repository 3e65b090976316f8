import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { quantile } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createTestWorkspace } from '../../testing/open-test-runtime.ts';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { createKeepAliveClient } from './testing/keep-alive-client.ts';

const MANY_WATCHERS = fileURLToPath(new URL('./testing/many-watchers.ts', import.meta.url));
const WATCHERS = 100;
const EVENTS_PER_SECOND = 200;
const SECONDS = 5;
const ROUNDS = 3;
const ECHOES = 1000;
const CLICKS = 100;

function sort(times: readonly number[]): number[] {
  return times.toSorted((a, b) => a - b);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function summary(what: string, times: readonly number[]): string {
  const sorted = sort(times);
  const [p50, p99, slowest] = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1) ?? Number.NaN];
  return `${what}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, most ${slowest.toFixed(2)} ms (${sorted.length} times)`;
}

/** Baseline cost of HTTP: accepts a body, parses it, and answers as many bytes as the API does. */
async function openFloor(answer: string): Promise<{ url: URL; close(): void }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(answer),
      });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/`), close: () => server.closeAllConnections() };
}

test('a call sent over HTTP costs at most 1.5 times what it costs in the process and HTTP alone cost together', async () => {
  await using own = await openTestServer();
  const client = createKeepAliveClient(own.token);
  const url = new URL('/api/commands', own.url);
  // The same call repeated would be refused.
  const bodyOf = (n: number): string =>
    JSON.stringify({ tool: 'echo', args: { text: `hello ${n}` }, wait: true });
  const floor = await openFloor(await client.post(url, bodyOf(-1)));
  const times = { api: [] as number[], inProcess: [] as number[], http: [] as number[] };
  for (let n = 0; n < ECHOES * 1.2; n++) {
    const body = bodyOf(n);
    const api = await timed(() => client.post(url, body));
    const inProcess = await timed(() => own.of.call('you', 'echo', { text: `hello ${n}` }));
    const http = await timed(() => client.post(floor.url, body));
    if (n < ECHOES * 0.2) continue;
    times.api.push(api);
    times.inProcess.push(inProcess);
    times.http.push(http);
  }
  client.close();
  floor.close();
  const median = (of: readonly number[]): number => quantile(sort(of), 0.5);
  const ratio = median(times.api) / (median(times.inProcess) + median(times.http));
  for (const [what, of] of Object.entries(times)) console.log(summary(what, of));
  console.log(`ratio ${ratio.toFixed(2)}`);
  expect(ratio).toBeLessThanOrEqual(1.5);
}, 120_000);

async function watching(own: TestServer): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MANY_WATCHERS, own.url, own.token, `${WATCHERS}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

/** Sends events at a steady rate; returns their delays over all watchers, in milliseconds. */
async function delaysOf(own: TestServer): Promise<number[]> {
  const child = await watching(own);
  const { promise, resolve } = Promise.withResolvers<void>();
  let reported = 0;
  const timer = setInterval(() => {
    if (reported === EVENTS_PER_SECOND * SECONDS) {
      clearInterval(timer);
      resolve();
      return;
    }
    reported += 1;
    const reason = `${process.hrtime.bigint()}`;
    void own.of.runtime.events.append([
      { type: 'mode_changed', from: 'NORMAL', to: 'NORMAL', by: 'bench', reason },
    ]);
  }, 1000 / EVENTS_PER_SECOND);
  await promise;
  const { stdout, stdin } = child;
  let text = '';
  stdout?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  // Lets the last events arrive.
  await new Promise((go) => setTimeout(go, 200));
  stdin?.end();
  await once(child, 'close');
  return (JSON.parse(text) as number[]).map((delay) => delay / 1000);
}

/** Writes events of several megabytes; returns the id before them. */
async function fillLog({ of: { runtime } }: TestServer): Promise<string> {
  const before = await runtime.events.lastId();
  const reason = 'x'.repeat(200_000);
  for (let n = 0; n < 15; n++)
    await runtime.events.append([
      { type: 'mode_changed', from: 'NORMAL', to: 'NORMAL', by: 'bench', reason },
    ]);
  return before ?? '';
}

/** A watcher that requested all events since `after` and never reads. */
async function openStalled({ url, token }: TestServer, after: string): Promise<Socket> {
  const { host, port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(
    `GET /api/events?after=${after} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await once(socket, 'connect');
  return socket;
}

test('with 100 watchers and 200 events a second an event is at most 100 ms late, even if some watchers never read', async () => {
  await using own = await openTestServer();
  const early = await fillLog(own);
  const all = { alone: [] as number[], besideStalled: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    all.alone.push(...(await delaysOf(own)));
    const stalled = await Promise.all(Array.from({ length: 10 }, () => openStalled(own, early)));
    all.besideStalled.push(...(await delaysOf(own)));
    for (const socket of stalled) socket.destroy();
  }
  for (const [what, of] of Object.entries(all)) console.log(summary(`event, ${what}`, of));
  const [alone, beside] = [all.alone, all.besideStalled].map((of) => quantile(sort(of), 0.99));
  console.log(`p99 beside stalled watchers / alone: ${((beside ?? NaN) / (alone ?? NaN)).toFixed(2)}`);
  const expected = WATCHERS * EVENTS_PER_SECOND * SECONDS * ROUNDS;
  expect([all.alone.length, all.besideStalled.length]).toEqual([expected, expected]);
  expect(alone).toBeLessThan(100);
  expect(beside).toBeLessThan(100);
}, 120_000);

type Asked = { id: string; approval: { callHash: string } };

async function askMany(own: TestServer, count: number): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (let n = 0; n < count; n++) {
    const line = `touch asked-${n}`;
    const { body } = await own.ask<Asked>('POST', '/api/commands', {
      body: { tool: 'bash', args: { line } },
    });
    asked.push(body);
  }
  return asked;
}

/** Time from the click until the command runs. */
async function click(own: TestServer, { id, approval }: Asked): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const stop = own.of.runtime.events.subscribe((event) => {
    if (event.type === 'command_started' && event.commandId === id) resolve(performance.now());
  });
  const clickedAt = performance.now();
  const answered = own.ask('POST', `/api/approvals/${id}/grant`, { body: { callHash: approval.callHash } });
  const runsAt = await promise;
  stop();
  expect((await answered).status).toBe(200);
  await own.of.ended(id as never);
  return runsAt - clickedAt;
}

test('a command runs within 250 ms of the click that approves it, also after a restart of the coordinator', async () => {
  const settings = { approval: { prompt_on_warning: true }, execution: { max_queue_size: 1000 } };
  const workspace = createTestWorkspace();
  const before = await openTestServer({ workspace, settings });
  const times: number[] = [];
  for (const one of await askMany(before, CLICKS)) times.push(await click(before, one));
  const kept = await askMany(before, CLICKS);
  await before.close();
  await before.of.leave();
  await using after = await openTestServer({ workspace, settings });
  const again: number[] = [];
  for (const one of kept) again.push(await click(after, one));
  console.log(summary('click to running', times));
  console.log(summary('click to running, after a restart', again));
  expect(quantile(sort(times), 0.99)).toBeLessThan(250);
  expect(quantile(sort(again), 0.99)).toBeLessThan(250);
}, 240_000);
