import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { startFakeSentinel } from '../testing/fake-sentinel.ts';
import { freePort, startRedisServer } from '../testing/redis-server.ts';
import { createClient, parseServerAddress } from './server-address.ts';

test('a connection notified of a new master while it connects recovers, and so does one made after it', async () => {
  const masterPort = await freePort();
  const master = await startRedisServer(['--port', String(masterPort)]);
  onTestFinished(() => master.close());
  const sentinel = await startFakeSentinel(masterPort);
  onTestFinished(() => sentinel.close());
  const address = parseServerAddress(`redis+sentinel://127.0.0.1:${sentinel.port}/main`);
  const first = createClient(address, {}, () => 50);
  const clients = [first, ...(first instanceof Redis ? [first.duplicate()] : [])];
  const ends: unknown[] = [];
  for (const client of clients) {
    client.on('error', () => undefined);
    client.on('end', () => ends.push(client));
    onTestFinished(() => client.disconnect());
  }
  const states = (): readonly string[] => clients.map(({ status }) => status);
  await expect.poll(states, { timeout: 20_000 }).toEqual(['ready', 'ready']);
  await expect.poll(sentinel.listeners, { timeout: 20_000 }).toBe(2);

  const isAsked = sentinel.hold();
  await master.restart();
  await isAsked;
  await expect.poll(states, { timeout: 20_000 }).toEqual(['connecting', 'connecting']);
  sentinel.announceSwitch();
  sentinel.answerHeld();
  await expect.poll(states, { timeout: 20_000 }).toEqual(['ready', 'ready']);
  expect(ends).toEqual([]);
});
