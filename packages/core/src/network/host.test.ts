import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeTarget, isLocalhost, parseHost, parseTarget } from './host.ts';

describe('parseHost() reads the many spellings of one host as one', () => {
  test.each([
    ['EXAMPLE.Com', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['ex\u00ADample.com', 'example.com'],
    ['example。com', 'example.com'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0177.0.0.01', '127.0.0.1'],
    ['１２７.０.０.１', '127.0.0.1'],
    ['[::1]', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
  ])('%s', (written, text) => {
    expect(parseHost(written)?.text).toBe(text);
  });
});

test.each([
  '',
  'good.example@evil.example',
  'good.example:80@evil.example',
  'good.example#evil.example',
  'good.example\\evil.example',
  'good.example/evil',
  'good.example?x',
  'good.example\r\nHost: evil',
  'good.example evil.example',
  'good%2eexample',
  'good.example\0',
  '::1',
  '[::1',
  '[::1]x',
  '[fe80::1%25eth0]',
  'a..b',
  '.example.com',
  'example.com..',
  '-x.example',
  '999.1.1.1',
  'x'.repeat(64),
])('parseHost() refuses what two readers could read as two hosts: %j', (written) => {
  expect(parseHost(written)).toBe(null);
});

test('parseHost() reads its own spelling as the same host again', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.domain(),
        fc.ipV4(),
        fc.ipV6().map((ip) => `[${ip}]`),
        fc.string(),
      ),
      (written) => {
        const host = parseHost(written);
        if (host === null) return;
        expect(parseTarget(describeTarget({ host, port: 443 }))).toEqual({ host, port: 443 });
      },
    ),
  );
});

test('parseHost() never reads a user name or a path into a host', () => {
  fc.assert(
    fc.property(
      fc.domain(),
      fc.constantFrom('@', '/', '\\', '?', '#', '%', ' '),
      fc.string(),
      (domain, sign, rest) => {
        expect(parseHost(`${domain}${sign}${rest}`)).toBe(null);
      },
    ),
  );
});

test('parseTarget() needs a port between 1 and 65535, or a default one', () => {
  expect(parseTarget('example.com', 80)?.port).toBe(80);
  expect(parseTarget('[::1]:8080')?.port).toBe(8080);
  for (const written of ['example.com', 'example.com:0', 'example.com:65536', 'example.com:', 'a:b', ':80']) {
    expect(parseTarget(written)).toBe(null);
  }
});

test('localhost and every name below it is this machine', () => {
  const isLocal = (written: string): boolean => isLocalhost(parseHost(written) ?? { kind: 'name', text: '' });
  expect(['localhost', 'LOCALHOST.', 'app.localhost'].map(isLocal)).toEqual([true, true, true]);
  expect(['localhost.example.com', 'notlocalhost', '127.0.0.1'].map(isLocal)).toEqual([false, false, false]);
});
