import { randomBytes } from 'node:crypto';
import type { CommandRecord } from '@signalbox/core';
import {
  aCommandId,
  aCommandRecord,
  anOutputEvent,
  aSubmittedEvent,
  createMemoryLogger,
  ended,
} from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisBackend, type RedisBackend } from '../backend.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { type RedisServer, startRedisServer } from '../testing/redis-server.ts';
import type { RememberedBackend } from './last-known.ts';

const PATIENCE = { timeout: 30_000 };

test("while Redis is dead the known state is served as of then and can't be changed; after its return Redis is read again", async () => {
  const { server, runtime, lastKnown } = await openTwo();
  const [own, elsewhere, old] = await fill(runtime);
  // Set without an event, so that only a full reload finds it.
  await runtime.b.connection.ask((redis) => redis.hset('{shop}:facts', 'untold', '1'));
  const before = await readAll(lastKnown, old);
  await server.kill();
  // Replies sent before may still be read.
  const killedAt = Date.now();

  await expect.poll(() => lastKnown.away(), PATIENCE).toMatchObject({ why: 'Redis does not answer' });
  expect(lastKnown.away()?.asOf).toBeLessThanOrEqual(killedAt);
  expect(await readAll(lastKnown, old)).toEqual(before);
  expect((await lastKnown.store.list({ states: ['done'] })).map(({ id }) => id)).toEqual([old.id]);
  expect(await lastKnown.facts.get('untold')).toBeUndefined();
  await expect(lastKnown.store.get(aCommandId('nobody'))).rejects.toMatchObject({ code: 'redis-gone' });
  await expect(lastKnown.store.commit(ended(own), [])).rejects.toMatchObject({ code: 'redis-gone' });
  await expect(lastKnown.facts.set('mode', 'LOCKDOWN')).rejects.toMatchObject({ code: 'redis-gone' });
  await expect(lastKnown.events.append([anOutputEvent()])).rejects.toMatchObject({ code: 'redis-gone' });
  expect(await readAll(lastKnown, old)).toEqual(before);

  await server.restart();
  await expect.poll(() => lastKnown.away(), PATIENCE).toBeNull();
  const done = ended(elsewhere);
  await expect
    .poll(() => runtime.b.store.commit(done, [aSubmittedEvent(done)]).catch(() => 'away'), PATIENCE)
    .toBeUndefined();
  expect(await lastKnown.store.get(elsewhere.id)).toEqual(done);

  // Once more: changes after the return are known too.
  await runtime.a.events.caughtUp();
  await expect.poll(() => lastKnown.isCaughtUp(), PATIENCE).toBe(true);
  await server.kill();
  await expect.poll(() => lastKnown.away()?.since, PATIENCE).toBeGreaterThan(killedAt);
  expect(await lastKnown.store.get(elsewhere.id)).toEqual(done);
  expect(await lastKnown.facts.get('untold')).toBe(1);
}, 120_000);

test('a frozen Redis is reported after one unanswered command, later calls are answered at once, and it is used again when it thaws', async () => {
  const { server, runtime, lastKnown } = await openTwo();
  const [, , old] = await fill(runtime);
  const before = await readAll(lastKnown, old);
  server.freeze();
  expect(await lastKnown.store.get(old.id)).toEqual(old);
  expect(lastKnown.away()).not.toBeNull();
  const changes: boolean[] = [];
  lastKnown.onChange(() => changes.push(lastKnown.away() !== null));
  expect(await readAll(lastKnown, old)).toEqual(before);
  server.thaw();
  await expect.poll(() => changes, PATIENCE).toEqual([false]);
  await runtime.a.facts.set('mode', 'ALERT');
  expect(await lastKnown.facts.get('mode')).toBe('ALERT');
}, 120_000);

test('before anything is known, calls fail', async () => {
  const server = await start();
  const { lastKnown } = await open(server, true);
  // Killed at once, before anything can have been loaded.
  await server.kill();
  await expect(lastKnown?.store.list({})).rejects.toMatchObject({ code: 'redis-gone' });
});

async function start(): Promise<RedisServer> {
  const server = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  onTestFinished(() => server.close());
  return server;
}

async function openTwo() {
  const server = await start();
  const a = await open(server, true);
  const b = await open(server, false);
  const { lastKnown } = a;
  if (lastKnown === null) throw new Error('it remembers nothing');
  await expect.poll(() => lastKnown.isCaughtUp(), PATIENCE).toBe(true);
  return { server, lastKnown, runtime: { a, b, lastKnown } };
}

/** A command of this process, one of another process, and a finished one. */
async function fill({ a, b, lastKnown }: Awaited<ReturnType<typeof openTwo>>['runtime']) {
  const [own, elsewhere, first] = ['own', 'elsewhere', 'old'].map((label, n) =>
    aCommandRecord({ id: aCommandId(label), submittedAt: Date.now() + n }),
  ) as [CommandRecord, CommandRecord, CommandRecord];
  const old = ended(first);
  await a.store.commit(own, [aSubmittedEvent(own)]);
  await b.store.commit(elsewhere, [aSubmittedEvent(elsewhere)]);
  await b.store.commit(first, [aSubmittedEvent(first)]);
  await b.store.commit(old, [anOutputEvent('hello\n', old.id), aSubmittedEvent(old)]);
  await b.facts.set('mode', 'NORMAL');
  await a.events.caughtUp();
  await expect.poll(() => lastKnown.isCaughtUp(), PATIENCE).toBe(true);
  return [own, elsewhere, old] as const;
}

async function readAll({ store, events, facts }: RememberedBackend, { id }: CommandRecord) {
  return {
    one: await store.get(id),
    all: await store.list({}),
    unfinished: await store.unfinished(),
    events: await events.since(null),
    last: await events.lastId(),
    mode: await facts.get('mode'),
    unset: await facts.get('unset'),
  };
}

async function open(server: RedisServer, remembers: boolean): Promise<RedisBackend> {
  const backend = await createRedisBackend({
    url: server.url,
    workspace: 'shop',
    clock: createRealClock(),
    random: (length) => randomBytes(length),
    limits: { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 60_000, leaseTtlMs: 30_000 },
    logger: createMemoryLogger(),
    commandTimeoutMs: 1500,
    remembers,
  });
  onTestFinished(() => backend.close());
  return backend;
}
