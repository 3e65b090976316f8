import { networkInterfaces } from 'node:os';
import { type Lease, pathResource, writeClaim } from '@signalbox/core';
import { aCommandId, aQueueEntry } from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { isJobHistory, listKeys } from './testing/list-keys.ts';
import { freePort, startRedisServer } from './testing/redis-server.ts';
import { startSchedulerProcess } from './testing/scheduler-process.ts';

/* Actions of server operators, who may not know about Signalbox. */

const LIMITS = { maxConcurrent: 4, maxQueuePerProvider: 100, maxWaitMs: 60_000, leaseTtlMs: 3000 };
const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
/** Keys of a workspace when nothing is to be done. */
const AT_REST = ['{shop}:epoch', '{shop}:owners', '{shop}:queue'];

test('an emptied Redis grants nothing before the forgotten leases are over, and no command waits for ever', async () => {
  const { url, redis } = await startServer();
  const [holder, other] = [await startProcess(url), await startProcess(url)];
  const held = await holder.scheduler.enqueue(entryOf('holds'));
  if (held.kind !== 'granted') throw new Error(held.kind);
  await other.scheduler.enqueue(entryOf('waits'));
  await redis.flushall();
  // The first request tells neither process that all data was lost.
  expect((await other.scheduler.enqueue(entryOf('next'))).kind).toBe('waiting');
  await expect(holder.scheduler.renew(held.lease.leaseId)).rejects.toMatchObject({ code: 'lease-lost' });
  expect(await holder.scheduler.isCurrent(held.lease)).toBe(false);
  for (let turn = 1; turn <= 2; turn++) {
    await expect.poll(() => other.granted.length).toBe(turn);
    const { leases } = await other.scheduler.snapshot();
    expect(leases[0]?.fencingToken).toBeGreaterThan(held.lease.fencingToken);
    for (const { leaseId } of leases) await other.scheduler.release(leaseId);
  }
  expect(other.granted.toSorted()).toEqual([aCommandId('next'), aCommandId('waits')].toSorted());
  await expect.poll(() => lastingKeys(url)).toEqual(AT_REST);
});

test('repeatedly killed connections and flushed scripts lose no command and leave nothing behind', async () => {
  const { url, redis } = await startServer();
  const processes = [await startProcess(url), await startProcess(url)];
  const grants: string[] = [];
  for (const { scheduler } of processes) {
    const release = ({ leaseId }: Pick<Lease, 'leaseId'>): void =>
      void scheduler.release(leaseId).catch(() => undefined);
    scheduler.listen({
      granted(lease) {
        grants.push(lease.commandId);
        release(lease);
      },
      // May happen on a machine too busy to send heartbeats in time.
      lost: release,
      stale: () => undefined,
    });
  }
  for (let round = 0; round < 12; round++) {
    const asked = processes.map(async ({ scheduler }, n) => {
      const answer = await scheduler
        .enqueue(entryOf(`r${round}n${n}`))
        .catch(() => ({ kind: 'refused' }) as const);
      if (answer.kind !== 'granted') return;
      grants.push(answer.lease.commandId);
      await scheduler.release(answer.lease.leaseId).catch(() => undefined);
    });
    await redis.script('FLUSH');
    await redis.call('CLIENT', 'KILL', 'SKIPME', 'yes');
    await Promise.all(asked);
    for (const { connection } of processes)
      await expect
        .poll(() => connection.ask((client) => client.ping()).catch(() => 'away'), { interval: 10 })
        .toBe('PONG');
  }
  await expect.poll(() => lastingKeys(url)).toEqual(AT_REST);
  expect(grants).toEqual([...new Set(grants)]);
  for (const [n, { scheduler }] of processes.entries()) {
    const last = await scheduler.enqueue(entryOf(`last${n}`));
    expect(last.kind).toBe('granted');
    if (last.kind === 'granted') await scheduler.release(last.lease.leaseId);
  }
});

test('two workspaces on one Redis are independent, whatever their files and commands are called', async () => {
  const { url } = await startServer();
  const [one, other] = [await startProcess(url), await startProcess(url, 'shop-2')];
  for (const { scheduler } of [one, other]) {
    expect((await scheduler.enqueue(entryOf('same'))).kind).toBe('granted');
    expect((await scheduler.enqueue(entryOf('next'))).kind).toBe('waiting');
  }
  for (const { leaseId } of (await one.scheduler.snapshot()).leases) await one.scheduler.release(leaseId);
  await expect.poll(() => one.granted).toEqual([aCommandId('next')]);
  await other.scheduler.tick();
  expect(other.granted).toEqual([]);
  expect((await other.scheduler.snapshot()).waiting).toHaveLength(1);
});

test.runIf(HAS_IPV6)('a server is reachable by an IPv6 address', async () => {
  const port = await freePort();
  await startServer(['--port', String(port), '--bind', '::1']);
  const { scheduler } = await startProcess(`redis://[::1]:${port}`);
  expect((await scheduler.enqueue(entryOf('one'))).kind).toBe('granted');
});

async function startServer(settings: readonly string[] = []) {
  const server = await startRedisServer(settings);
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  return { url: server.url, redis };
}

function startProcess(url: string, workspace = 'shop') {
  return startSchedulerProcess({ url, workspace, limits: LIMITS });
}

function entryOf(label: string) {
  return aQueueEntry({ commandId: aCommandId(label), claims: [writeClaim(pathResource('a.ts'))] });
}

/** Keys that do not expire. */
async function lastingKeys(url: string): Promise<readonly string[]> {
  const redis = new Redis(url);
  const keys = (await listKeys(url, '*')).filter((key) => !isJobHistory(key)).toSorted();
  const lasting = await Promise.all(keys.map(async (key) => ((await redis.pttl(key)) < 0 ? [key] : [])));
  redis.disconnect();
  return lasting.flat();
}
