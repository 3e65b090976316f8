import { LeaseLostError, pathResource, readClaim, WORKSPACE, writeClaim } from '@signalbox/core';
import { aCommandId, aLeaseId, aQueueEntry, schedulerModelContract } from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isJobHistory, listKeys } from '../testing/list-keys.ts';
import { type RedisServer, startRedisServer } from '../testing/redis-server.ts';
import { type ProcessOptions, startSchedulerProcess } from '../testing/scheduler-process.ts';
import { createDoubts } from './uncertain-requests.ts';

/** Leases are short, for time is real here. */
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

test('a grant is told to the process that asked, and to no other', async () => {
  const [one, other] = await twoProcesses();
  const first = await one.scheduler.enqueue(entryOf('first'));
  await other.scheduler.enqueue(entryOf('second'));
  await one.release(first);
  await expect.poll(() => other.granted).toEqual([aCommandId('second')]);
  await one.scheduler.tick();
  expect(one.granted).toEqual([]);
});

test('what a release grants the process that asks is in its answer; only another process hears it published', async () => {
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

test('what is granted to an answer that never came is given back, and nobody is told', async () => {
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

test('all who waited for one are granted, however many steps it takes', async () => {
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

test('hundreds of grants that come at once are all told, in order', async () => {
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

test('what a dead process held is told once to a living one, later, and stays held until that releases it', async () => {
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

test('a process that dies after it was told of a lost lease leaves it to the next', async () => {
  const [dead, alive] = await twoProcesses();
  const first = await dead.scheduler.enqueue(entryOf('first'));
  await expect.poll(() => dead.lost, { timeout: 10_000 }).toEqual([aCommandId('first')]);
  await dead.scheduler.tick();
  dead.close();
  await expect.poll(() => alive.lost, { timeout: 10_000 }).toEqual([aCommandId('first')]);
  await alive.release(first);
  expect(await alive.scheduler.snapshot()).toEqual({ leases: [], waiting: [] });
});

test('while Redis is away nothing is taken, and a lease is lost by its own deadline', async () => {
  const own = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  onTestFinished(() => own.close());
  const { scheduler, lost, release } = await startProcess({ workspace: 'shop', url: own.url });
  const first = await scheduler.enqueue(entryOf('first'));
  await own.kill();
  await expect(scheduler.enqueue(entryOf('second'))).rejects.toMatchObject({ code: 'redis-gone' });
  await expect.poll(() => lost, { timeout: 10_000 }).toEqual([aCommandId('first')]);
  await expect(release(first)).rejects.toMatchObject({ code: 'redis-gone' });
  await own.restart();
  // What could not be released is released once Redis is back.
  await expect
    .poll(() => scheduler.snapshot().catch(() => 'away'), { timeout: 10_000 })
    .toEqual({ leases: [], waiting: [] });
  expect(lost).toEqual([aCommandId('first')]);
});

test('a Redis that has forgotten everything grants nothing until every lease of before is over', async () => {
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
  // Both are in the queue again, in whatever order the two came back.
  const { leases, waiting } = await one.scheduler.snapshot();
  const known = [...leases, ...waiting].map(({ commandId }) => commandId);
  expect(known.toSorted()).toEqual([aCommandId('second'), aCommandId('third')].toSorted());
});

test('a command that was taken although the answer never came is taken out again', async () => {
  const own = await startRedisServer();
  onTestFinished(() => own.close());
  const { scheduler } = await startProcess({ workspace: 'shop', url: own.url, commandTimeoutMs: 1000 });
  own.freeze();
  await expect(scheduler.enqueue(entryOf('unheard'))).rejects.toMatchObject({ code: 'redis-gone' });
  own.thaw();
  await scheduler.tick();
  await expect.poll(() => scheduler.snapshot().catch(() => 'away')).toEqual({ leases: [], waiting: [] });
});

test('a lease that is lost by its own deadline is lost for good, whatever Redis says', async () => {
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

test('taking a doubtful command out leaves the same command alone when it has come again', async () => {
  const workspace = freshWorkspace();
  const { scheduler } = await startProcess({ workspace });
  const { scheduler: observer, connection } = await startProcess({ workspace });
  await scheduler.enqueue(entryOf('first'));
  await scheduler.enqueue(entryOf('again'));
  const uncertain = createDoubts(connection, { maxConcurrent: 1000, leaseTtlMs: 900, chunk: 256 });
  uncertain.enqueued(aCommandId('again'), aLeaseId('before'));
  await uncertain.settle();
  const { waiting } = await observer.snapshot();
  expect(waiting.map(({ commandId }) => commandId)).toEqual([aCommandId('again')]);
});

test('one that comes first after a freeze leaves the turns of those before it, and no two have one token', async () => {
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

test('nothing is left in Redis of commands that are over', async () => {
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

/** What is published to any process of a workspace from now on. */
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

/** On the server of this file. */
function startProcess(options: Omit<ProcessOptions, 'url' | 'limits'> & Partial<ProcessOptions>) {
  return startSchedulerProcess({ url: server.url, limits: ROOMY, ...options });
}
