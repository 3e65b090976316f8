import { expect, test } from 'vitest';
import { parseTarget } from '@signalbox/core';
import { type Admission, createAdmission, type Resolve } from './admission.ts';

const PUBLIC = '93.184.216.34';

function admit(
  hosts: readonly string[],
  written: string,
  resolve: Resolve = async () => [PUBLIC],
): Promise<Admission> {
  const target = parseTarget(written);
  if (target === null) throw new Error(`no target: ${written}`);
  return createAdmission(hosts, resolve)(target);
}

const kindOf = async (...given: Parameters<typeof admit>): Promise<string> => (await admit(...given)).kind;

test('a listed name is admitted with the checked addresses', async () => {
  expect(await admit(['example.com'], 'example.com:443')).toEqual({ kind: 'admitted', addresses: [PUBLIC] });
});

test('an unlisted name is rejected with the list, and not resolved', async () => {
  const asked: string[] = [];
  const answer = await admit(['example.com'], 'evil.example:443', async (name) => {
    asked.push(name);
    return [PUBLIC];
  });
  expect(answer).toEqual({
    kind: 'refused',
    why: '"evil.example:443" is not among the hosts of this command: example.com',
  });
  expect(asked).toEqual([]);
});

test('an allowed name never leads to private addresses, whatever DNS answers', async () => {
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1%eth0',
  ]) {
    expect(await kindOf(['rebound.example', '*'], 'rebound.example:443', async () => [address])).toBe(
      'refused',
    );
  }
});

test('a rejected address is named, with the way to allow it (U, sentence 17)', async () => {
  expect(await admit(['*'], 'registry.corp:443', async () => ['10.0.0.1'])).toEqual({
    kind: 'refused',
    why: '"registry.corp" resolves to the private or reserved address 10.0.0.1, which must be named itself (for example in sandbox.network.hosts)',
  });
});

test('only public addresses are used', async () => {
  const answer = await admit(['example.com'], 'example.com:443', async () => [
    '127.0.0.1',
    PUBLIC,
    '10.0.0.1',
  ]);
  expect(answer).toEqual({ kind: 'admitted', addresses: [PUBLIC] });
});

test('DNS is asked once, so that it cannot return another address for the connection', async () => {
  let asked = 0;
  await admit(['example.com'], 'example.com:443', async () => (++asked === 1 ? [PUBLIC] : ['127.0.0.1']));
  expect(asked).toBe(1);
});

test('a private address is reachable only if listed itself, with its port', async () => {
  const resolve: Resolve = async () => ['10.1.2.3'];
  expect(await kindOf(['db.corp:*'], 'db.corp:5432', resolve)).toBe('refused');
  expect(await kindOf(['db.corp:*', '10.0.0.0/8:5432'], 'db.corp:5432', resolve)).toBe('admitted');
  expect(await kindOf(['db.corp:*', '10.0.0.0/8:5432'], 'db.corp:22', resolve)).toBe('refused');
  expect(await kindOf(['*:*'], '10.1.2.3:5432')).toBe('refused');
  expect(await kindOf(['10.1.2.3:5432'], '10.1.2.3:5432')).toBe('admitted');
});

test('a wildcard for all hosts excludes this machine', async () => {
  expect(await kindOf(['*:*'], 'localhost:3000')).toBe('refused');
  expect(await kindOf(['*:*'], 'app.localhost.:3000')).toBe('refused');
  expect(await kindOf(['*:*'], '93.184.216.34:443')).toBe('refused');
});

test('localhost is the loopback, without DNS', async () => {
  const answer = await admit(['localhost:3000'], 'LOCALHOST.:3000', async () => [PUBLIC]);
  expect(answer).toEqual({ kind: 'admitted', addresses: ['127.0.0.1', '::1'] });
});

test('a name without an address fails and is not rejected', async () => {
  expect(await kindOf(['example.com'], 'example.com:443', async () => [])).toBe('failed');
});

test('a connection without a host is rejected', async () => {
  expect(await kindOf([], 'example.com:443')).toBe('refused');
});
