import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NetworkUse } from '@signalbox/core';
import { systemClock } from '../testing/system-clock.ts';
import { createAdmission } from './admission.ts';
import { createConnectionLog } from './connection-log.ts';
import { createProxy } from './proxy.ts';

let website: HttpServer;
let door: Server;
let rows: () => readonly NetworkUse[];
let websitePort: number;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function listen<Kind extends Server>(server: Kind): Promise<Kind> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

beforeEach(async () => {
  website = await listen(
    createServer((request, response) => {
      response.setHeader('Connection', 'close, X-Hidden');
      response.setHeader('X-Hidden', 'leg');
      if (request.url === '/away')
        return void response.writeHead(302, { Location: 'http://evil.example/' }).end();
      request.pipe(response.writeHead(200, { 'X-Seen': JSON.stringify([request.url, request.headers]) }));
    }),
  );
  websitePort = portOf(website);
  const admit = createAdmission(['good.example:*', `127.0.0.1:${websitePort}`], async () => ['127.0.0.1']);
  const log = createConnectionLog(() => undefined);
  rows = log.rows;
  door = await listen(createTcpServer(createProxy({ admit, log, clock: systemClock }).serve));
});
afterEach(() => {
  website.close();
  door.close();
});

/** Sends exactly this to the proxy and returns the response. */
async function sendRaw(raw: string): Promise<string> {
  const socket = connect(portOf(door), '127.0.0.1');
  socket.write(raw);
  return text(socket);
}

const close = 'Connection: close\r\n\r\n';

test('a request with an absolute URL goes to the host of the URL, whatever its Host header', async () => {
  const answer = await sendRaw(
    `GET http://good.example:${websitePort}/a%20b?q#frag HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: x\r\n${close}`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(answer).not.toContain('X-Hidden');
  const seen = /X-Seen: (.*)\r\n/i.exec(answer)?.[1] ?? '';
  expect(JSON.parse(seen)).toEqual([
    '/a%20b?q',
    { host: `good.example:${websitePort}`, connection: 'close' },
  ]);
});

test('bodies are forwarded in both directions, chunked or not', async () => {
  const answer = await sendRaw(
    `POST http://good.example:${websitePort}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n` +
      `Connection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  );
  expect(answer).toContain('hello');
});

test('a tunnel carries bytes that follow the request at once', async () => {
  const answer = await sendRaw(
    `CONNECT good.example:${websitePort} HTTP/1.1\r\nHost: x\r\n\r\nGET /in HTTP/1.1\r\nHost: good.example:${websitePort}\r\n${close}`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 Connection established\r\n\r\nHTTP\/1.1 200 OK/);
  const [row] = rows();
  expect(row).toMatchObject({ target: `good.example:${websitePort}`, outcome: 'reached', connections: 1 });
  expect(row?.sentBytes).toBeGreaterThan(10);
  expect(row?.receivedBytes).toBeGreaterThan(100);
});

test('the target of a redirect is checked like any other', async () => {
  const answer = await sendRaw(`GET http://good.example:${websitePort}/away HTTP/1.1\r\nHost: x\r\n${close}`);
  expect(answer).toContain('Location: http://evil.example/');
  expect(await sendRaw(`GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n${close}`)).toMatch(
    /^HTTP\/1.1 403 Forbidden[^]*not among the hosts of this command: good.example:\*/,
  );
});

test.each([
  'CONNECT evil.example:443',
  'CONNECT good.example@evil.example:443',
  'CONNECT good.example:443@evil.example:443',
  'CONNECT good.example',
  'CONNECT [::1]:22',
  'CONNECT 0x7f.1:22',
  'CONNECT localhost:22',
  'GET http://good.example@evil.example/',
  'GET http://good.example%00.evil.example/',
  'GET http://evil.example?http://good.example/',
  'GET https://good.example/',
  'GET ftp://good.example/',
  'GET /etc/passwd',
  'GET //good.example/',
])('%s is rejected and not connected', async (line) => {
  const answer = await sendRaw(`${line} HTTP/1.1\r\nHost: good.example:${websitePort}\r\n${close}`);
  expect(answer).toMatch(/^HTTP\/1.1 403 /);
  expect(rows().map(({ outcome }) => outcome)).toEqual(['refused']);
});

test('an ambiguous request (request smuggling) is cut off', async () => {
  for (const header of [
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Content-Length: 5\r\nContent-Length: 6',
  ]) {
    const raw = `POST http://good.example:${websitePort}/ HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`;
    expect(await sendRaw(raw)).toMatch(/^HTTP\/1.1 400 /);
  }
  expect(rows()).toEqual([]);
});

test('a target that does not answer is a failure with its reason', async () => {
  website.close();
  const answer = await sendRaw(`CONNECT good.example:${websitePort} HTTP/1.1\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 502 Bad Gateway[^]*cannot be reached: ECONNREFUSED/);
  expect(rows()).toMatchObject([{ outcome: 'failed', target: `good.example:${websitePort}` }]);
});

test('closing the proxy cuts open connections', async () => {
  const quiet = await listen(createTcpServer());
  const admit = createAdmission([`127.0.0.1:${portOf(quiet)}`], async () => []);
  const proxy = createProxy({ admit, log: createConnectionLog(() => undefined), clock: systemClock });
  const other = await listen(createTcpServer(proxy.serve));
  const socket = connect(portOf(other), '127.0.0.1');
  socket.write(`CONNECT 127.0.0.1:${portOf(quiet)} HTTP/1.1\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  proxy.close();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(socket.destroyed).toBe(true);
  for (const server of [quiet, other]) server.close();
});
