import { createId, Lease, type NodeId } from '@signalbox/core';
import { aCommandId, aLeaseId, createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../connection/connection.ts';
import { anOrder } from '../testing/an-order.ts';
import { listKeys } from '../testing/list-keys.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { startRedisServer } from '../testing/redis-server.ts';
import { ExecutionReport } from './execution-order.ts';
import * as scripts from './execution-scripts.ts';

const random = createSeededRandom(1);
const OWNER = createId('coordinator', random);
const [WORKER, OTHER] = [createId('worker', random), createId('worker', random)];
const REPORT = ExecutionReport.parse({
  kind: 'sandbox',
  code: 'x',
  message: 'it ended',
  why: [],
  next: [],
});
const LEASE = Lease.parse({
  leaseId: aLeaseId('one'),
  commandId: aCommandId('one'),
  provider: 'test',
  claims: [],
  fencingToken: 7,
  grantedAt: 1,
  expiresAt: 2,
});
const ORDER = anOrder({ commandId: aCommandId('one'), lease: LEASE });

test("a withdrawn execution can't be begun, and asking again gives the same reply", async () => {
  const { begin, settle } = await offered();
  expect(await settle('withdraw')).toEqual(['unbegun']);
  expect(await settle('withdraw')).toEqual(['unbegun']);
  expect(await begin(WORKER)).toEqual(['gone']);
  expect(await settle('over')).toEqual(['unbegun']);
});

test("a begun execution can't be begun by another worker or withdrawn, and its end can be read repeatedly", async () => {
  const { begin, settle, end } = await offered();
  expect(await begin(WORKER)).toEqual(['begun', OWNER, ORDER]);
  expect(await begin(WORKER)).toEqual(['begun', OWNER, ORDER]);
  expect(await begin(OTHER)).toEqual(['gone']);
  expect(await settle('withdraw')).toEqual(['begun', WORKER]);
  expect(await end(OTHER)).toBe('gone');
  expect(await end(WORKER)).toBe('ended');
  for (const how of ['over', 'withdraw', 'over'] as const)
    expect(await settle(how)).toEqual(['ended', REPORT]);
});

test("an execution whose worker was given up can't be ended by it", async () => {
  const { begin, settle, end } = await offered();
  await begin(WORKER);
  expect(await settle('over')).toEqual(['lost']);
  expect(await settle('over')).toEqual(['lost']);
  expect(await end(WORKER)).toBe('gone');
  expect(await begin(WORKER)).toEqual(['gone']);
});

test('an execution reaped with its fencing token is over for a late worker; another token reaps nothing', async () => {
  const { begin, settle, end, reap, begunBy, over } = await offered();
  expect(await over()).toBe('over');
  const { begin: beginOther, ...other } = await offered();
  await beginOther(WORKER);
  expect(await begin(WORKER)).toEqual(['gone']);
  expect(await settle('over')).toEqual(['unbegun']);

  expect(await other.begunBy(WORKER)).toEqual([{ id: other.id, commandId: aCommandId('one'), fence: '7' }]);
  expect(await other.over()).toBe('running');
  expect(await other.reap(WORKER, '6')).toBe('gone');
  expect(await other.reap(OTHER, '7')).toBe('gone');
  expect(await other.over()).toBe('running');
  expect([await other.reap(WORKER, '7'), await other.reap(WORKER, '7')]).toEqual(['reaped', 'reaped']);
  expect([await other.over(), await other.begunBy(WORKER)]).toEqual(['over', []]);
  expect(await other.end(WORKER)).toBe('gone');
  expect(await beginOther(OTHER)).toEqual(['gone']);
  expect(await other.settle('over')).toEqual(['lost']);
  expect([await reap(WORKER, '7'), await end(WORKER), await begunBy(WORKER)]).toEqual(['gone', 'gone', []]);
});

test("an ended execution can't be reaped", async () => {
  const { begin, end, reap, settle } = await offered();
  await begin(WORKER);
  await end(WORKER);
  expect(await reap(WORKER, '7')).toBe('gone');
  expect(await settle('over')).toEqual(['ended', REPORT]);
});

test("a forgotten execution leaves no key and can't be begun, ended or settled", async () => {
  const { begin, settle, end, forget, keys } = await offered();
  await begin(WORKER);
  await forget();
  expect(await keys()).toEqual([]);
  expect(await begin(WORKER)).toEqual(['gone']);
  expect(await end(WORKER)).toBe('gone');
  expect(await settle('over')).toEqual(['gone']);
  expect(await keys()).toEqual([]);
});

/** An execution that no worker has begun. */
async function offered() {
  const { url, ...server } = await startRedisServer();
  onTestFinished(() => server.close());
  const connection = await openConnection({
    url,
    workspace: 'shop',
    clock: createRealClock(),
    logger: createMemoryLogger(),
  });
  onTestFinished(() => connection.close());
  const id = createId('execution', random);
  await connection.run(scripts.offer, { id, owner: OWNER, order: ORDER, keepMs: 60_000 });
  return {
    id,
    reap: (worker: NodeId, fence: string) => connection.run(scripts.reap, { id, worker, fence }),
    begunBy: (worker: NodeId) => connection.run(scripts.begunBy, worker),
    over: () => connection.run(scripts.over, { owner: OWNER, commandId: aCommandId('one') }),
    begin: (worker: NodeId) => connection.run(scripts.begin, { id, worker }),
    settle: (how: 'withdraw' | 'over') => connection.run(scripts.settle, { id, how }),
    end: (worker: NodeId) => connection.run(scripts.end, { id, worker, report: REPORT }),
    forget: () => connection.run(scripts.forget, { id, owner: OWNER }),
    keys: () => listKeys(url, '*'),
  };
}
