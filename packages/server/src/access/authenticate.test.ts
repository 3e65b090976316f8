import { expect, test } from 'vitest';
import { openGuarded } from '../testing/guarded-app.ts';

const NO_TOKEN = {
  type: 'urn:signalbox:problem:no-token',
  status: 401,
  code: 'no-token',
  why: [],
  next: [
    'signalbox token create',
    'send it as: Authorization: Bearer TOKEN',
    'signalbox dashboard opens the page',
  ],
};
const MISSING = { ...NO_TOKEN, title: 'Not authenticated: the request has no access token' };
const INVALID = {
  ...NO_TOKEN,
  title: 'Not authenticated: the access token is not valid here, expired or revoked',
};

test('over a port, a request without a token reaches only routes that are open to anyone', async () => {
  const { onPort } = await openGuarded();
  expect(await onPort('/anyone')).toEqual({ status: 200, body: { visitor: null } });
  expect(await onPort('/look')).toEqual({ status: 401, body: MISSING });
  expect((await onPort('/none')).status).toBe(404);
});

test('a token gives the rights of its role, and a refusal says which role has them', async () => {
  const { onPort, reading, acting } = await openGuarded();
  const viewer = await reading('viewer');
  expect(await onPort('/look', viewer)).toEqual({ status: 200, body: { visitor: viewer.visitor } });
  expect(await onPort('/operate', viewer)).toEqual({
    status: 403,
    body: {
      type: 'urn:signalbox:problem:not-allowed',
      title: 'Cannot do this as a viewer: the token is of role viewer',
      status: 403,
      code: 'not-allowed',
      why: [],
      next: ['a token of role operator: signalbox token create --role ROLE'],
    },
  });
  const provider = await acting('provider');
  expect(await onPort('/submit', { ...provider, method: 'POST' })).toEqual({
    status: 200,
    body: { visitor: provider.visitor },
  });
  expect((await onPort('/operate', { ...provider, method: 'POST' })).status).toBe(403);
});

test('nobody may call a route that does not declare its access', async () => {
  const { onPort, onSocket, reading } = await openGuarded();
  const refused = { status: 403, body: { code: 'not-allowed' } };
  expect(await onPort('/undeclared', await reading('operator'))).toMatchObject(refused);
  expect(await onSocket('/undeclared')).toMatchObject(refused);
});

test('a token of the last known backend reads, and changes nothing', async () => {
  const { onPort, reading, acting } = await openGuarded();
  const [lastKnown, present] = [await reading('operator'), await acting('operator')];
  for (const method of ['GET', 'HEAD']) {
    expect((await onPort('/operate', { ...lastKnown, method })).status).toBe(200);
    expect((await onPort('/operate', { ...present, method })).status).toBe(401);
  }
  expect((await onPort('/operate', { ...lastKnown, method: 'POST' })).status).toBe(401);
  expect((await onPort('/operate', { ...present, method: 'POST' })).status).toBe(200);
});

test.for([
  ['bearer TOKEN', 200],
  ['Bearer  TOKEN', 401],
  ['Bearer TOKEN x', 401],
  ['x Bearer TOKEN', 401],
  ['Basic TOKEN', 401],
  ['TOKEN', 401],
] as const)('the header "Authorization: %s" is answered with %i', async ([written, status]) => {
  const { onPort, reading } = await openGuarded();
  const { token } = await reading('viewer');
  const headers = { authorization: written.replace('TOKEN', token) };
  expect((await onPort('/look', { headers })).status).toBe(status);
});

test('a token of more than 512 characters is none', async () => {
  const { onPort } = await openGuarded();
  const ask = (length: number) =>
    onPort('/look', { headers: { authorization: `Bearer ${'x'.repeat(length)}` } });
  expect((await ask(512)).body).toEqual(INVALID);
  expect((await ask(513)).body).toEqual(MISSING);
});

test('the dashboard’s cookie is a token too, unless the header has one', async () => {
  const { onPort, reading, port } = await openGuarded();
  const [viewer, other] = [await reading('viewer'), await reading('operator')];
  const headers = { cookie: `signalbox-${port}=${viewer.token}` };
  expect(await onPort('/look', { headers })).toMatchObject({
    status: 200,
    body: { visitor: viewer.visitor },
  });
  expect(await onPort('/look', { headers: { ...headers, ...other.headers } })).toMatchObject({
    body: { visitor: other.visitor },
  });
  const ofAnother = { cookie: `signalbox-${port + 1}=${viewer.token}; signalbox=${viewer.token}` };
  expect((await onPort('/look', { headers: ofAnother })).body).toEqual(MISSING);
});

test('a client that repeats a wrong token is told how long to wait (F-W11)', async () => {
  const { onPort, clock, reading } = await openGuarded();
  const headers = { authorization: 'Bearer sbx_wrong' };
  for (let i = 0; i < 10; i++)
    expect(await onPort('/look', { headers })).toEqual({ status: 401, body: INVALID });
  await clock.advance(20_500);
  expect(await onPort('/look', { headers })).toEqual({
    status: 429,
    body: {
      type: 'urn:signalbox:problem:too-many-failures',
      title: 'Cannot authenticate: too many wrong tokens from this address',
      status: 429,
      code: 'too-many-failures',
      why: [],
      next: ['wait 40 s, or try another token: signalbox token create'],
    },
  });
  expect((await onPort('/look', await reading('viewer'))).status).toBe(200);
  expect((await onPort('/look')).body).toEqual(MISSING);
});

test('on the socket every request is the owner’s, whatever its headers say', async () => {
  const { onSocket } = await openGuarded();
  const owner = { tokenId: 'owner', kind: 'local', name: 'ana', role: 'operator', provider: null };
  const headers = { host: 'evil.example', origin: 'http://evil.example', authorization: 'Bearer sbx_wrong' };
  for (const path of ['/look', '/operate', '/submit'])
    expect(await onSocket(path, { method: 'POST', headers })).toEqual({
      status: 200,
      body: { visitor: owner },
    });
  expect(await onSocket('/anyone')).toEqual({ status: 200, body: { visitor: null } });
});

test('while the backend is away, the socket answers what reads and what is said to work without it', async () => {
  const { onSocket, backend } = await openGuarded();
  backend.isAway = true;
  expect((await onSocket('/operate')).status).toBe(200);
  expect((await onSocket('/stop', { method: 'POST' })).status).toBe(200);
  expect((await onSocket('/anyone', { method: 'POST' })).status).toBe(200);
  expect(await onSocket('/operate', { method: 'POST' })).toMatchObject({
    status: 503,
    body: { code: 'redis-gone' },
  });
});

test('a page of another site reaches nothing over a port, not even what is open to anyone (L-40)', async () => {
  const { onPort, reading, port } = await openGuarded();
  const { headers } = await reading('viewer');
  for (const path of ['/look', '/anyone', '/none']) {
    expect(await onPort(path, { headers: { ...headers, host: `evil.example:${port}` } })).toEqual({
      status: 421,
      body: {
        type: 'urn:signalbox:problem:unknown-host',
        title: `Cannot answer for host "evil.example:${port}": it is not a name of this server`,
        status: 421,
        code: 'unknown-host',
        why: ['another site could point its own name to this address'],
        next: [
          'use the address that was printed by: signalbox serve',
          '--allow-host NAME for an additional name',
        ],
      },
    });
    for (const foreign of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect(await onPort(path, { headers: { ...headers, ...foreign } })).toEqual({
        status: 403,
        body: {
          type: 'urn:signalbox:problem:foreign-origin',
          title: 'Cannot accept this request: a page of another site sent it',
          status: 403,
          code: 'foreign-origin',
          why: [],
          next: [],
        },
      });
    }
  }
  expect((await onPort('/look', { headers: { ...headers, 'sec-fetch-site': 'same-origin' } })).status).toBe(
    200,
  );
});

test('a route that is open to anyone and still asks for the sender refuses', async () => {
  const { onPort } = await openGuarded();
  expect(await onPort('/visitor')).toMatchObject({
    status: 401,
    body: { code: 'no-token', title: 'Not authenticated' },
  });
});
