import { UsageError } from '@signalbox/core';
import { expect, test } from 'vitest';
import { addressOf } from './redis-failure.ts';
import { parseServerAddress } from './server-address.ts';

test('an address names one server, a socket, a cluster, or sentinels and their master', () => {
  expect(parseServerAddress('/run/redis.sock')).toEqual({ kind: 'socket', path: '/run/redis.sock' });
  expect(parseServerAddress('redis://localhost/2')).toEqual({
    kind: 'server',
    url: 'redis://localhost/2',
    options: {},
  });
  expect(parseServerAddress('rediss+cluster://me:p%40ss@a:1,[::1]:2,c?servername=x')).toEqual({
    kind: 'cluster',
    hosts: [
      { host: 'a', port: 1 },
      { host: '::1', port: 2 },
      { host: 'c', port: 6379 },
    ],
    options: { username: 'me', password: 'p@ss', tls: { servername: 'x' } },
  });
  expect(parseServerAddress('redis+sentinel://:a:b@a,b:5/main?sentinelPassword=s')).toEqual({
    kind: 'sentinel',
    hosts: [
      { host: 'a', port: 26_379 },
      { host: 'b', port: 5 },
    ],
    name: 'main',
    options: { password: 'a:b', sentinelPassword: 's' },
  });
});

test.each([
  'http://user:secret@host',
  'redis+sentinel://user:secret@host',
  'redis+cluster://user:secret@host:port',
  'rediss://user:secret@host?ca=/nowhere/ca.pem',
])('"%s" is refused without revealing its password', (address) => {
  const refusal = (): unknown => parseServerAddress(address);
  expect(refusal).toThrow(UsageError);
  expect(refusal).not.toThrow(/secret/);
});

test('a printed address has no user, password or parameters', () => {
  expect(addressOf('rediss+sentinel://me:secret@a:1,b:2/main?sentinelPassword=s')).toBe(
    '"rediss+sentinel://a:1,b:2/main"',
  );
});
