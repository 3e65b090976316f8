import { expect, test } from 'vitest';
import { clientAt } from '../client/client-at.ts';
import { backgroundWorld } from '../client/testing/background-world.ts';
import { createTestTerminal } from '../testing/test-context.ts';
import { ANY_PORT, openPort } from '../client/open-port.ts';
import { dashboardLink } from './dashboard-link.ts';
import { findLocalAccess } from './local-access.ts';

const answers = (url: string) =>
  fetch(`${url}/health`).then(
    ({ status }) => status,
    () => 0,
  );

test(
  'dashboard opens a port where none is open, which stays until the coordinator stops',
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

test('ten links that are asked for at once open one port, which lets each of them in', async () => {
  const world = backgroundWorld();
  const access = await world.connect();
  const links = await Promise.all(Array.from({ length: 10 }, () => dashboardLink(access)));
  const urls = links.map(({ url }) => url);
  expect(new Set(urls.map((url) => new URL(url).origin)).size).toBe(1);
  expect(new Set(urls).size).toBe(10);
  expect((await clientAt(access).getCoordinator()).ports).toEqual([new URL(urls[0] ?? '').origin]);
});

test('a port that closes leaves the word of another one that is open', async () => {
  const world = backgroundWorld();
  const access = await world.connect();
  const first = await openPort(access, ANY_PORT);
  const second = await openPort(access, ANY_PORT, 'coordinator-ends');
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
