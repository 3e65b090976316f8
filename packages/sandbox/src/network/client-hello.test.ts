import { once } from 'node:events';
import { createServer, connect as connectTcp, type AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { MAX_OPENING_BYTES, readOpening } from './client-hello.ts';

/** The first bytes of Node's own TLS. */
async function helloOf(servername: string): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connectTcp((server.address() as AddressInfo).port, '127.0.0.1');
  const accepted = once(server, 'connection') as Promise<[typeof socket]>;
  const client = connect({ socket, servername, rejectUnauthorized: false });
  client.on('error', () => undefined);
  const [taken] = await accepted;
  const [bytes] = (await once(taken, 'data')) as [Buffer];
  for (const one of [client, socket, taken]) one.destroy();
  server.close();
  return bytes;
}

/** Cuts the handshake of a hello into records of this size. */
function inRecords(hello: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 5; at < hello.length; at += size) {
    const part = hello.subarray(at, at + size);
    const head = Buffer.from([22, 3, 1, 0, 0]);
    head.writeUInt16BE(part.length, 3);
    parts.push(head, part);
  }
  return Buffer.concat(parts);
}

test('a TLS hello is read whole and in records of any size (C3)', async () => {
  const hello = await helloOf('good.example');
  const expected = { kind: 'tls', serverName: 'good.example' };
  expect(readOpening(hello)).toEqual(expected);
  for (const size of [1, 3, 7, 100]) expect(readOpening(inRecords(hello, size))).toEqual(expected);
  expect(readOpening(await helloOf(''))).toEqual({ kind: 'tls', serverName: null });
});

test('every prefix of a hello is incomplete', async () => {
  const hello = await helloOf('good.example');
  for (let length = 0; length < hello.length; length++)
    expect([length, readOpening(hello.subarray(0, length))]).toEqual([length, { kind: 'incomplete' }]);
});

test('a hello with a changed byte is read differently or not at all, without an error', async () => {
  const hello = await helloOf('good.example');
  const kinds = new Set(['tls', 'unknown', 'incomplete']);
  for (let at = 1; at < hello.length; at++)
    for (const value of [0, 1, 127, 255]) {
      const changed = Buffer.from(hello);
      changed[at] = value;
      expect(kinds.has(readOpening(changed).kind)).toBe(true);
    }
});

test('a hello with two lists of names is unreadable, as two readers could choose differently', async () => {
  const hello = await helloOf('good.example');
  const at = hello.indexOf('good.example') - 9;
  const extension = hello.subarray(at, at + 9 + 'good.example'.length);
  const doubled = Buffer.concat([hello.subarray(0, at), extension, hello.subarray(at)]);
  doubled.writeUInt16BE(hello.readUInt16BE(3) + extension.length, 3);
  doubled.writeUIntBE(hello.readUIntBE(6, 3) + extension.length, 6, 3);
  const list = 43 + 1 + hello.readUInt8(43);
  const lengthAt = list + 2 + hello.readUInt16BE(list) + 2;
  doubled.writeUInt16BE(hello.readUInt16BE(lengthAt) + extension.length, lengthAt);
  expect(readOpening(doubled)).toEqual({ kind: 'unknown' });
});

test('HTTP is recognised by its first line, and two hosts count as none', () => {
  const read = (text: string): unknown => readOpening(Buffer.from(text));
  expect(read('GET / HTTP/1.1\r\nA: b\r\nhost:  x.example \r\n\r\nrest')).toEqual({
    kind: 'http',
    host: 'x.example',
  });
  expect(read('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')).toEqual({ kind: 'http', host: null });
  expect(read('GET / HTTP/1.1\r\nHost: a')).toEqual({ kind: 'incomplete' });
});

test.each(['SSH-2.0-exfil SECRET-DATA\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\x16\x02', '\x80\x2e\x01'])(
  '%j is neither',
  (text) => {
    expect(readOpening(Buffer.from(text, 'latin1'))).toEqual({ kind: 'unknown' });
  },
);

test('a hello longer than the bound is rejected at once', () => {
  const bytes = Buffer.from([22, 3, 1, 0, 4, 1, 0xff, 0xff, 0xff]);
  expect(bytes.readUIntBE(6, 3)).toBeGreaterThan(MAX_OPENING_BYTES);
  expect(readOpening(bytes)).toEqual({ kind: 'unknown' });
});
