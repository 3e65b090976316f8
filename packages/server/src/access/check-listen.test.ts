import { expect, test } from 'vitest';
import { checkListen } from './check-listen.ts';

const PLAIN = { port: 0, allowedHosts: [], tls: null, allowPlainHttp: false };

test.for(['localhost', '127.0.0.1', '127.12.255.1', '::1'])(
  'a port of this machine, %s, needs no TLS',
  (host) => {
    expect(() => checkListen({ ...PLAIN, host })).not.toThrow();
  },
);

test.for([
  '0.0.0.0',
  '::',
  '192.168.1.2',
  'example.com',
  '127.0.0.1.example.com',
  '1127.0.0.1',
  '127.0.0.1000',
  '',
])('on %j others could eavesdrop: it needs TLS, or the word of the operator', (host) => {
  expect(() => checkListen({ ...PLAIN, host })).toThrow(
    expect.objectContaining({
      code: 'not-loopback',
      message: `Cannot listen on ${host}: the connection would not be encrypted`,
      why: ['access tokens and source code would cross the network in plain text'],
      next: [
        '--tls-cert FILE --tls-key FILE',
        '--allow-plain-http when a proxy in front of it encrypts',
        'without --host: only this machine',
      ],
    }),
  );
  expect(() => checkListen({ ...PLAIN, host, tls: { cert: 'cert', key: 'key' } })).not.toThrow();
  expect(() => checkListen({ ...PLAIN, host, allowPlainHttp: true })).not.toThrow();
});
