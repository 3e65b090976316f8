import { expect, test } from 'vitest';
import { createHostCheck } from './known-host.ts';

const NOWHERE = { host: undefined, origin: undefined, secFetchSite: undefined };
const check = createHostCheck(['Build.Example', 'fe80::1']);

test.each(['localhost', '127.0.0.1:7411', '[::1]:7411', 'LOCALHOST:7411', 'build.example', '[fe80::1]:80'])(
  'a request to %s was meant for this server',
  (host) => {
    expect(check({ ...NOWHERE, host })).toBe('ok');
  },
);

test.each([
  undefined,
  '',
  'evil.example',
  'localhost.evil.example',
  'fe80::1',
  'a b',
  'build.example@evil.example',
])('a request to the host %s was not, as a page whose name resolves to this machine sends it', (host) => {
  expect(check({ ...NOWHERE, host })).toBe('host');
});

test.each([
  { origin: 'http://localhost:7411', expected: 'ok' },
  { origin: 'https://localhost:7411', expected: 'ok' },
  { origin: 'http://localhost:7412', expected: 'origin' },
  { origin: 'http://127.0.0.1:7411', expected: 'origin' },
  { origin: 'https://evil.example', expected: 'origin' },
  { origin: 'null', expected: 'origin' },
  { origin: '', expected: 'origin' },
])(
  'a page of the origin “$origin” may send a request to localhost:7411: $expected',
  ({ origin, expected }) => {
    expect(check({ ...NOWHERE, host: 'localhost:7411', origin })).toBe(expected);
  },
);

test.each([
  { site: 'same-origin', expected: 'ok' },
  { site: 'none', expected: 'ok' },
  { site: 'same-site', expected: 'origin' },
  { site: 'cross-site', expected: 'origin' },
  { site: 'cross-site, none', expected: 'origin' },
  { site: '', expected: 'origin' },
])('a request that the browser calls $site is answered: $expected', ({ site, expected }) => {
  expect(check({ ...NOWHERE, host: 'localhost:7411', secFetchSite: site })).toBe(expected);
});
