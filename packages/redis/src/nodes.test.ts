import { randomBytes } from 'node:crypto';
import { createId, type NodeRecord, type NodeId } from '@signalbox/core';
import { createMemoryLogger } from '@signalbox/core/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type RedisConnection, openConnection } from './connection/connection.ts';
import { createNodes, type RedisNodes } from './nodes.ts';
import { createFacts } from './store/facts.ts';
import { createRealClock } from './testing/real-clock.ts';
import { type RedisServer, startRedisServer } from './testing/redis-server.ts';

/** Short because time is real here; it covers five heartbeats. */
const TTL_MS = 1000;
let server: RedisServer;
let workspaces = 0;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.close());

async function openRuntime() {
  workspaces += 1;
  const workspace = `members-${workspaces}`;
  async function join(): Promise<RedisNodes & { readonly connection: RedisConnection }> {
    const clock = createRealClock();
    const logger = createMemoryLogger();
    const connection = await openConnection({ url: server.url, workspace, clock, logger });
    const id = createId('coordinator', (length) => randomBytes(length));
    const members = createNodes({ connection, self: facts(id), ttlMs: TTL_MS, clock, logger });
    onTestFinished(() => {
      members.close();
      connection.close();
    });
    await members.open();
    return { ...members, connection };
  }
  return { join };
}

function facts(id: NodeId) {
  const of = { kind: 'coordinator', host: 'here', pid: 1, identity: {}, version: '0' } as const;
  return { id, ...of, labels: [], concurrency: 0 };
}

const ids = (members: readonly NodeRecord[]): NodeId[] => members.map(({ id }) => id).toSorted();

function deathOf(id: NodeId, to: RedisNodes): Promise<void> {
  return new Promise((resolve) => {
    to.onDead((dead) => {
      if (dead.some((one) => one.id === id)) resolve();
    });
  });
}

test('members see each other, and one without a heartbeat for its time to live is dead for all', async () => {
  const runtime = await openRuntime();
  const [a, b, c] = [await runtime.join(), await runtime.join(), await runtime.join()];
  expect(ids(await a.living())).toEqual([a.self, b.self, c.self].toSorted());
  const seen = Promise.all([deathOf(c.self, a), deathOf(c.self, b)]);
  c.close();
  await seen;
  expect(ids(await a.living())).toEqual([a.self, b.self].toSorted());
  expect(ids(await b.dead())).toEqual([c.self]);
  const known = await b.seen();
  expect(known.map(({ member, isAlive }) => [member.id, isAlive]).at(-1)).toEqual([c.self, false]);
  expect(known.at(-1)?.seenMsAgo).toBeGreaterThanOrEqual(TTL_MS);
  expect(known.slice(0, 2).map(({ isAlive, seenMsAgo }) => [isAlive, seenMsAgo])).toEqual([
    [true, expect.any(Number)],
    [true, expect.any(Number)],
  ]);
  await a.settled(c.self);
  expect(await b.dead()).toEqual([]);
  expect(a.isCurrent()).toBe(true);
});

test('a member that sees a process end reports it, and the others need not wait for the time to live', async () => {
  const runtime = await openRuntime();
  const [a, b, c] = [await runtime.join(), await runtime.join(), await runtime.join()];
  c.close();
  const heard = deathOf(c.self, b);
  await a.declareDead(c.self);
  await heard;
  expect(ids(await b.dead())).toEqual([c.self]);
});

test('a member that was declared dead and sends a heartbeat is living again', async () => {
  const runtime = await openRuntime();
  const [a, b] = [await runtime.join(), await runtime.join()];
  await a.declareDead(b.self);
  await b.beat();
  expect(ids(await a.living())).toEqual([a.self, b.self].toSorted());
  expect(await a.dead()).toEqual([]);
});

test('a member that leaves nothing behind is neither living nor dead', async () => {
  const runtime = await openRuntime();
  const [a, b] = [await runtime.join(), await runtime.join()];
  await b.leave('settled');
  expect(ids(await a.living())).toEqual([a.self]);
  expect(await a.dead()).toEqual([]);
  expect(b.isCurrent()).toBe(false);
});

test('a coordinator that leaves nothing behind leaves no inbox of control requests either', async () => {
  const runtime = await openRuntime();
  const [a, b] = [await runtime.join(), await runtime.join()];
  const stored = createFacts(a.connection);
  await stored.set(`control-messages:${b.self}`, []);
  await stored.set(`control-messages:${a.self}`, []);
  await b.leave('settled');
  expect([...(await stored.all()).keys()]).toEqual([`control-messages:${a.self}`]);
});

test('after an outage of Redis, the first member to return declares no other dead', async () => {
  const runtime = await openRuntime();
  const [a, b] = [await runtime.join(), await runtime.join()];
  a.close();
  b.close();
  // Wait until requests in flight at their end are over.
  await Promise.all([a.beat(), b.beat()]);
  // Simulates an outage longer than a time to live, in which no member could send a heartbeat.
  await a.connection.ask(async (redis) => {
    const prefix = a.connection.prefix;
    await redis.zadd(`${prefix}members:living`, Date.now() - 500, a.self, Date.now() - 500, b.self);
    await redis.set(`${prefix}members:beat`, String(Date.now() - 2 * TTL_MS));
  });
  const c = await runtime.join();
  expect(ids(await c.living())).toEqual([a.self, b.self, c.self].toSorted());
});
