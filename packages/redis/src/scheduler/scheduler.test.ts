import { LeaseLostError, pathResource, readClaim, WORKSPACE, writeClaim } from '@signalbox/core';
import { aCommandId, aLeaseId, aQueueEntry, schedulerModelContract } from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isJobHistory, listKeys } from '../testing/list-keys.ts';
import { type RedisServer, startRedisServer } from '../testing/redis-server.ts';
import { type ProcessOptions, startSchedulerProcess } from '../testing/scheduler-process.ts';
import { createUncertainRequests } from './uncertain-requests.ts';

/** Leases are short because time is real here. */
const ROOMY = { maxConcurrent: 1000, maxQueuePerProvider: 1000, maxWaitMs: 60_000, leaseTtlMs: 900 };
let server: RedisServer;
let workspaces = 0;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.close());

describe('the Redis scheduler, passing one entry at a time:', () => {
  schedulerModelContract(async (wishes) => {
    const limits = { ...ROOMY, leaseTtlMs: 60_000, ...wishes };
    const { scheduler, close } = await startProcess({ limits, chunk: 1, workspace: freshWorkspace() });
    const settle = (): Promise<void> => scheduler.tick();
    return { scheduler, limits, settle, advance: settle, close: async () => close() };
  }, 150);
});

test('a grant is reported to the process that asked, and to no other', async () => {
  const [one, other] = await twoProcesses();
  const first = await one.scheduler.enqueue(entryOf('first'));
  await other.scheduler.enqueue(entryOf('second'));
  await one.release(first);
  await expect.poll(() => other.granted).toEqual([aCommandId('second')]);
  await one.scheduler.tick();
  expect(one.granted).toEqual([]);
});

test('grants of a release to the process that asks are in its reply; only those to other processes are published', async () => {
  const [one, other] = await twoProcesses();
  const published = await receivePublished(one.connection.prefix);
  const first = await one.scheduler.enqueue(entryOf('first'));
  await one.scheduler.enqueue(entryOf('second'));
  await other.scheduler.enqueue(entryOf('third'));
  await one.release(first);
  await expect.poll(() => one.granted).toEqual([aCommandId('second')]);
  const [second] = (await one.scheduler.snapshot()).leases;
  if (second === undefined) throw new Error('not granted');
  await one.scheduler.release(second.leaseId);
  await expect.poll(() => other.granted).toEqual([aCommandId('third')]);
  await expect.poll(() => published.length).toBe(1);
  expect(published[0]).toContain(aCommandId('third'));
});

test('a grant whose reply was lost is released, and no listener is called', async () => {
  const own = await startRedisServer();
  onTestFinished(() => own.close());
  const one = await startProcess({ workspace: 'shop', url: own.url, commandTimeoutMs: 1000 });
  const other = await startProcess({ workspace: 'shop', url: own.url });
  const first = await other.scheduler.enqueue(entryOf('first'));
  own.freeze();
  await expect(one.scheduler.enqueue(entryOf('unheard'))).rejects.toMatchObject({ code: 'redis-gone' });
  own.thaw();
  await other.release(first);
  await one.scheduler.tick();
  await expect
    .poll(() => other.scheduler.snapshot().catch(() => 'away'))
    .toEqual({ leases: [], waiting: [] });
  expect(one.granted).toEqual([]);
});

test('all commands that waited for one are granted, however many steps it takes', async () => {
  const { scheduler, granted, release } = await startProcess({ workspace: freshWorkspace(), chunk: 7 });
  const all = await scheduler.enqueue(aQueueEntry({ claims: [writeClaim(WORKSPACE)] }));
  const readers = Array.from({ length: 100 }, (_, n) => `r${n}`);
  for (const label of readers) {
    const claims = [readClaim(pathResource('src/a.ts')), readClaim(pathResource(`src/${label}`))];
    await scheduler.enqueue(aQueueEntry({ commandId: aCommandId(label), claims }));
  }
  await release(all);
  await scheduler.tick();
  expect(granted).toEqual(readers.map((label) => aCommandId(label)));
});

test('hundreds of grants at once are all reported, in order', async () => {
  const [one, other] = await twoProcesses();
  const all = await one.scheduler.enqueue(aQueueEntry({ claims: [writeClaim(WORKSPACE)] }));
  const labels = Array.from({ length: 350 }, (_, n) => `r${n}`);
  const claims = [readClaim(pathResource('a.ts'))];
  for (const label of labels)
    await other.scheduler.enqueue(aQueueEntry({ commandId: aCommandId(label), claims }));
  await one.release(all);
  await expect.poll(() => other.granted.length, { timeout: 10_000 }).toBe(350);
  expect(other.granted).toEqual(labels.map((label) => aCommandId(label)));
});

test("a dead process's lease is reported once to a living one, later, and stays held until that releases it", async () => {
  const [dead, alive] = await twoProcesses();
  const first = await dead.scheduler.enqueue(entryOf('first'));
  await dead.scheduler.enqueue(entryOf('behind'));
  await alive.scheduler.enqueue(entryOf('next'));
  const diedAt = performance.now();
  dead.close();
  await expect.poll(() => alive.lost, { timeout: 10_000 }).toEqual([aCommandId('first')]);
  expect(performance.now() - diedAt).toBeGreaterThan(1.5 * ROOMY.leaseTtlMs);
  expect(alive.granted).toEqual([]);
  const { waiting } = await alive.scheduler.snapshot();
  expect(waiting.map(({ commandId }) => commandId)).toEqual([aCommandId('next')]);
  await alive.release(first);
  await expect.poll(() => alive.granted).toEqual([aCommandId('next')]);
  expect(alive.lost).toEqual([aCommandId('first')]);
});

test('if a process dies after it was told of an inherited lease, the next one inherits it', async () => {
  const [dead, alive] = await twoProcesses();
  const first = await dead.scheduler.enqueue(entryOf('first'));
  await expect.poll(() => dead.lost, { timeout: 10_000 }).toEqual([aCommandId('first')]);
  await dead.scheduler.tick();
  dead.close();
  await expect.poll(() => alive.lost, { timeout: 10_000 }).toEqual([aCommandId('first')]);
  await alive.release(first);
  expect(await alive.scheduler.snapshot()).toEqual({ leases: [], waiting: [] });
});

test('while Redis is unreachable enqueue fails, and a lease is lost by its own deadline', async () => {
  const own = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  onTestFinished(() => own.close());
  const { scheduler, lost, release } = await startProcess({ workspace: 'shop', url: own.url });
  const first = await scheduler.enqueue(entryOf('first'));
  await own.kill();
  await expect(scheduler.enqueue(entryOf('second'))).rejects.toMatchObject({ code: 'redis-gone' });
  await expect.poll(() => lost, { timeout: 10_000 }).toEqual([aCommandId('first')]);
  await expect(release(first)).rejects.toMatchObject({ code: 'redis-gone' });
  await own.restart();
  // The failed release is made up once Redis is back.
  await expect
    .poll(() => scheduler.snapshot().catch(() => 'away'), { timeout: 10_000 })
    .toEqual({ leases: [], waiting: [] });
  expect(lost).toEqual([aCommandId('first')]);
});

test('a Redis that has lost its data grants nothing until every earlier lease is over', async () => {
  const own = await startRedisServer();
  onTestFinished(() => own.close());
  const one = await startProcess({ workspace: 'shop', url: own.url });
  const other = await startProcess({ workspace: 'shop', url: own.url });
  const first = await one.scheduler.enqueue(entryOf('first'));
  await one.scheduler.enqueue(entryOf('second'));
  if (first.kind !== 'granted') throw new Error('not granted');
  await own.restart();
  const restartedAt = performance.now();
  const again = async () =>
    (await other.scheduler.enqueue(entryOf('third')).catch(() => ({ kind: 'away' }))).kind;
  await expect.poll(again, { timeout: 10_000 }).toBe('waiting');
  const renewal = () => one.scheduler.renew(first.lease.leaseId).catch((error: unknown) => error);
  await expect.poll(renewal, { timeout: 10_000 }).toBeInstanceOf(LeaseLostError);
  await expect.poll(() => [...one.granted, ...other.granted], { timeout: 10_000 }).toHaveLength(1);
  expect(performance.now() - restartedAt).toBeGreaterThan(ROOMY.leaseTtlMs);
  expect(one.lost).toEqual([aCommandId('first')]);
  // Both are in the queue again, in either order.
  const { leases, waiting } = await one.scheduler.snapshot();
  const known = [...leases, ...waiting].map(({ commandId }) => commandId);
  expect(known.toSorted()).toEqual([aCommandId('second'), aCommandId('third')].toSorted());
});

test('a command that was enqueued although the reply was lost is taken out again', async () => {
  const own = await startRedisServer();
  onTestFinished(() => own.close());
  const { scheduler } = await startProcess({ workspace: 'shop', url: own.url, commandTimeoutMs: 1000 });
  own.freeze();
  await expect(scheduler.enqueue(entryOf('unheard'))).rejects.toMatchObject({ code: 'redis-gone' });
  own.thaw();
  await scheduler.tick();
  await expect.poll(() => scheduler.snapshot().catch(() => 'away')).toEqual({ leases: [], waiting: [] });
});

test('a lease lost by its own deadline stays lost, whatever Redis says', async () => {
  const own = await startRedisServer();
  onTestFinished(() => own.close());
  const { scheduler, lost } = await startProcess({ workspace: 'shop', url: own.url });
  const first = await scheduler.enqueue(entryOf('first'));
  if (first.kind !== 'granted') throw new Error('not granted');
  own.freeze();
  await expect.poll(() => lost, { timeout: 10_000 }).toEqual([aCommandId('first')]);
  own.thaw();
  expect(await scheduler.isCurrent(first.lease)).toBe(false);
  await expect(scheduler.renew(first.lease.leaseId)).rejects.toThrow(LeaseLostError);
});

test('taking out an uncertain command does not affect the same command enqueued again', async () => {
  const workspace = freshWorkspace();
  const { scheduler } = await startProcess({ workspace });
  const { scheduler: observer, connection } = await startProcess({ workspace });
  await scheduler.enqueue(entryOf('first'));
  await scheduler.enqueue(entryOf('again'));
  const uncertain = createUncertainRequests(connection, { maxConcurrent: 1000, leaseTtlMs: 900, chunk: 256 });
  uncertain.enqueued(aCommandId('again'), aLeaseId('before'));
  await uncertain.settle();
  const { waiting } = await observer.snapshot();
  expect(waiting.map(({ commandId }) => commandId)).toEqual([aCommandId('again')]);
});

test('the first command after a freeze does not overtake earlier ones, and no two leases share a fencing token', async () => {
  const workspace = freshWorkspace();
  const limits = { ...ROOMY, leaseTtlMs: 60_000 };
  const { scheduler, connection, granted } = await startProcess({ workspace, limits });
  const frozen = `${connection.prefix}frozen`;
  await connection.ask((redis) => redis.set(frozen, '1'));
  const entryFor = (label: string) => ({
    ...entryOf(label),
    claims: [writeClaim(pathResource(`${label}.ts`))],
  });
  for (const label of ['a', 'b']) expect((await scheduler.enqueue(entryFor(label))).kind).toBe('waiting');
  await connection.ask((redis) => redis.del(frozen));
  expect((await scheduler.enqueue(entryFor('c'))).kind).toBe('granted');
  await expect.poll(() => granted).toEqual([aCommandId('a'), aCommandId('b')]);
  const { leases } = await scheduler.snapshot();
  const tokens = leases.map(({ fencingToken }) => fencingToken);
  expect(new Set(tokens).size).toBe(3);
  const share = await connection.ask((redis) => redis.hget(`${connection.prefix}queue`, 'share:anthropic'));
  expect(share).toBe(`0 3 ${Math.max(...tokens)}`);
});

test('Redis keeps nothing of commands that are over', async () => {
  const workspace = freshWorkspace();
  const { scheduler, release } = await startProcess({ workspace });
  const before = await keysOf(workspace);
  const first = await scheduler.enqueue(entryOf('first'));
  await scheduler.enqueue(entryOf('second'));
  await scheduler.cancel(aCommandId('second'));
  await release(first);
  await scheduler.tick();
  expect(await keysOf(workspace)).toEqual(before);
});

function entryOf(label: string) {
  return aQueueEntry({ commandId: aCommandId(label), claims: [writeClaim(pathResource('a.ts'))] });
}

function freshWorkspace(): string {
  workspaces += 1;
  return `test-${workspaces}`;
}

/** Collects everything published to any process of a workspace from now on. */
async function receivePublished(prefix: string): Promise<readonly string[]> {
  const published: string[] = [];
  const subscriber = new Redis(server.url);
  onTestFinished(() => subscriber.disconnect());
  subscriber.on('pmessage', (_pattern, _channel, message: string) => published.push(message));
  await subscriber.psubscribe(`${prefix}inbox:*`);
  return published;
}

async function keysOf(workspace: string): Promise<readonly string[]> {
  return (await listKeys(server.url, `{${workspace}}:*`)).filter((key) => !isJobHistory(key)).toSorted();
}

async function twoProcesses() {
  const workspace = freshWorkspace();
  return [await startProcess({ workspace }), await startProcess({ workspace })] as const;
}

/** Starts a process on this file's server. */
function startProcess(options: Omit<ProcessOptions, 'url' | 'limits'> & Partial<ProcessOptions>) {
  return startSchedulerProcess({ url: server.url, limits: ROOMY, ...options });
}
