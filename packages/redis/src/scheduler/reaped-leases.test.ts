import { type CommandId, createId, type Lease, pathResource, writeClaim } from '@signalbox/core';
import {
  aCommandId,
  aLeaseId,
  aQueueEntry,
  createMemoryLogger,
  createSeededRandom,
} from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../connection/connection.ts';
import * as executions from '../dispatch/execution-scripts.ts';
import { anOrder } from '../testing/an-order.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { type RedisServer, startRedisServer } from '../testing/redis-server.ts';
import { createScheduler, type RedisScheduler } from './scheduler.ts';
import { reaped } from './scheduler-scripts.ts';

const random = createSeededRandom(3);
const [OWNER, WORKER] = [createId('coordinator', random), createId('worker', random)];
/** Time to live for the process that dies; time is real here. */
const SHORT_MS = 200;
/** Time to live for the process that lives: only a report can free what the dead one held. */
const LONG_MS = 600_000;

test('the claims of a dead process are passed on when its worker reports that nothing of it is left (F §2)', async () => {
  const { living, report, lease, waits } = await aDeadProcess();
  expect(living.lost).toEqual([]);
  expect(await report(lease)).toEqual(['noted']);
  await expect.poll(() => living.lost).toEqual([lease.commandId]);
  await living.release(lease.leaseId);
  await expect.poll(() => living.granted).toEqual([waits]);
  // A late report affects no other lease: another process holds the file by now.
  expect(await report(lease)).toEqual(['stale']);
  const [next] = (await living.snapshot()).leases;
  expect(next === undefined ? null : await living.isCurrent(next)).toBe(true);
});

test('a report made before the process is declared dead counts once it is', async () => {
  const { living, report, lease } = await aDyingProcess();
  await expect.poll(() => report(lease)).toEqual(['noted']);
  await expect
    .poll(() => living.tick().then(() => living.lost), { timeout: 20_000 })
    .toEqual([lease.commandId]);
});

test('a report with another fencing token or of another lease frees nothing', async () => {
  const { living, report, lease } = await aDeadProcess();
  expect(
    await report({ ...lease, fencingToken: (lease.fencingToken - 1) as typeof lease.fencingToken }),
  ).toEqual(['stale']);
  expect(await report({ ...lease, leaseId: aLeaseId('other') })).toEqual(['stale']);
  await living.tick();
  expect(living.lost).toEqual([]);
});

test('a living lease, and one under which another worker still executes, stay held whatever is reported', async () => {
  const { living, report, lease, connection } = await aDeadProcess();
  const id = createId('execution', random);
  const order = anOrder({ commandId: lease.commandId, lease });
  await connection.run(executions.offer, { id, owner: OWNER, order, keepMs: 60_000 });
  await connection.run(executions.begin, { id, worker: WORKER });
  expect(await report(lease)).toEqual(['running']);
  await living.tick();
  expect(living.lost).toEqual([]);
  await connection.run(executions.reap, { id, worker: WORKER, fence: String(lease.fencingToken) });
  expect(await report(lease)).toEqual(['noted']);

  const held = await living.enqueue(entryOf('held', 'b.ts'));
  if (held.kind !== 'granted') throw new Error(held.kind);
  const [kind, leftMs] = await report(held.lease);
  expect([kind, (leftMs ?? 0) > LONG_MS / 2]).toEqual(['held', true]);
  expect(await living.isCurrent(held.lease)).toBe(true);
});

/** A process that held a file when it died and that is declared dead. */
async function aDeadProcess() {
  const ground = await aDyingProcess();
  const isQuarantined = async (): Promise<boolean> => {
    await ground.living.tick();
    return (await ground.connection.ask((redis) => redis.zcard('{shop}:quarantine'))) === 1;
  };
  await expect.poll(isQuarantined, { timeout: 20_000 }).toBe(true);
  return ground;
}

/** A process that has just died; another one has the next command for its file waiting. */
async function aDyingProcess() {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const dying = await startProcess(server, SHORT_MS);
  const living = await startProcess(server, LONG_MS);
  const answer = await dying.enqueue(entryOf('first'));
  if (answer.kind !== 'granted') throw new Error(answer.kind);
  const { lease } = answer;
  await living.enqueue(entryOf('waits'));
  dying.close();
  const { connection } = living;
  return {
    living,
    connection,
    lease,
    waits: aCommandId('waits'),
    report: (of: Lease) => connection.run(reaped, { lease: of, owner: OWNER, leaseTtlMs: LONG_MS }),
  };
}

async function startProcess({ url }: RedisServer, leaseTtlMs: number) {
  const [clock, logger] = [createRealClock(), createMemoryLogger()];
  const connection = await openConnection({ url, workspace: 'shop', clock, logger });
  const limits = { maxConcurrent: 4, maxQueuePerProvider: 10, maxWaitMs: 600_000, leaseTtlMs };
  const scheduler: RedisScheduler = createScheduler({ connection, limits, clock, random, logger });
  const [granted, lost]: [CommandId[], CommandId[]] = [[], []];
  scheduler.listen({
    granted: ({ commandId }) => void granted.push(commandId),
    lost: ({ commandId }) => void lost.push(commandId),
    stale: () => undefined,
  });
  await scheduler.open();
  const close = (): void => {
    scheduler.close();
    connection.close();
  };
  onTestFinished(close);
  return { ...scheduler, connection, granted, lost, close };
}

function entryOf(label: string, path = 'a.ts') {
  return aQueueEntry({ commandId: aCommandId(label), claims: [writeClaim(pathResource(path))] });
}
