import { expect, test } from 'vitest';
import { clientAt } from '../../client/client-at.ts';
import { backgroundWorld } from '../../client/testing/background-world.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { ANY_PORT, openPort } from '../../client/open-port.ts';
import { dashboardLink } from '../../commands/serve/dashboard-link.ts';
import { findLocalAccess } from './local-access.ts';

const answers = (url: string) =>
  fetch(`${url}/health`).then(
    ({ status }) => status,
    () => 0,
  );

test(
  'dashboard opens a port if none is open, and it stays until the coordinator stops',
  { timeout: 120_000 },
  async () => {
    const world = backgroundWorld();
    const { signalbox } = createTestTerminal(world.directory);
    await world.connect();
    const link = async () =>
      (JSON.parse((await signalbox('dashboard', '--json')).out) as { url: string }).url;
    const [url = '', code] = (await link()).split('/#enter=');
    const entered = await fetch(`${url}/api/enter`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    expect(entered.status).toBe(200);
    expect(await link()).toContain(`${url}/#enter=`);
    expect((await signalbox('status')).out).toContain(`open port: ${url} · signalbox dashboard`);
    expect((await signalbox('stop')).exit).toBe(0);
    await expect.poll(() => answers(url), { timeout: 20_000 }).toBe(0);
    expect(findLocalAccess(world.directory)).toBeNull();
  },
);

test('ten concurrent requests for a link open one port, and each link works', async () => {
  const world = backgroundWorld();
  const access = await world.connect();
  const links = await Promise.all(Array.from({ length: 10 }, () => dashboardLink(access)));
  const urls = links.map(({ url }) => url);
  expect(new Set(urls.map((url) => new URL(url).origin)).size).toBe(1);
  expect(new Set(urls).size).toBe(10);
  expect((await clientAt(access).getCoordinator()).ports).toEqual([new URL(urls[0] ?? '').origin]);
});

test('closing a port keeps the record of another open one', async () => {
  const world = backgroundWorld();
  const access = await world.connect();
  const first = await openPort(access, ANY_PORT);
  const second = await openPort(access, ANY_PORT, { until: 'coordinator-ends' });
  const token = () => findLocalAccess(world.directory)?.token;
  expect(findLocalAccess(world.directory)).toMatchObject({ url: first.url });
  const before = token();
  first.close();
  await expect.poll(() => findLocalAccess(world.directory)?.url, { timeout: 20_000 }).toBe(second.url);
  expect(token()).toBe(before);
  const { status } = await fetch(`${second.url}/api/mode`, {
    headers: { authorization: `Bearer ${token()}` },
  });
  expect(status).toBe(200);
});

test.for([
  ['serve', 'dashboard'],
  ['serve', 'serve'],
  ['dashboard', 'serve'],
])('%s and %s started at the same moment share one port', { timeout: 120_000 }, async (names) => {
  const world = backgroundWorld();
  const ended = Promise.withResolvers<undefined>();
  const started = names.map(async (name) => {
    const { promise: url, resolve } = Promise.withResolvers<string>();
    const receive = (text: string): void => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    };
    const terminal = createTestTerminal(world.directory, {
      onPrint: receive,
      onSay: receive,
      interrupts: {
        listen: (listener) => {
          void ended.promise.then(() => listener(1, 'SIGINT'));
          return () => undefined;
        },
        raise: () => undefined,
      },
    });
    const ran = terminal.signalbox(name);
    return { url: await url, ran };
  });
  const both = await Promise.all(started);
  const { ports } = await clientAt(await world.connect()).getCoordinator();
  expect(ports).toHaveLength(1);
  expect(both.map(({ url }) => url)).toEqual([ports[0], ports[0]]);
  expect(await answers(ports[0] ?? '')).toBe(200);
  ended.resolve(undefined);
  expect((await Promise.all(both.map(({ ran }) => ran))).map(({ exit }) => exit)).toEqual([0, 0]);
});

test('a port with two users is open until the second closes it; another number is another port', async () => {
  const world = backgroundWorld();
  const access = await world.connect();
  const [first, second] = await Promise.all([
    openPort(access, ANY_PORT, { reuse: 'any-number' }),
    openPort(access, ANY_PORT, { reuse: 'equal' }),
  ]);
  expect(second.url).toBe(first.url);
  const plain = await openPort(access, ANY_PORT);
  expect(plain.url).not.toBe(first.url);
  const otherHost = await openPort(access, { ...ANY_PORT, allowedHosts: ['box'] }, { reuse: 'any-number' });
  expect(otherHost.url).not.toBe(first.url);
  const ports = async () => (await clientAt(access).getCoordinator()).ports;
  first.close();
  plain.close();
  await expect.poll(ports, { timeout: 20_000 }).toEqual([second.url, otherHost.url]);
  second.close();
  await expect.poll(ports, { timeout: 20_000 }).toEqual([otherHost.url]);
  expect(await answers(second.url)).toBe(0);
});
