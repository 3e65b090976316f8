import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Clock, type CommandId, type Lease, pathResource, writeClaim } from '@signalbox/core';
import {
  aCommandId,
  aCommandRecord,
  anOutputEvent,
  aQueueEntry,
  createMemoryLogger,
} from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisBackend } from './backend.ts';
import type { HoldingProcess } from './testing/holding-process.ts';
import { isJobHistory } from './testing/list-keys.ts';
import { createRealClock } from './testing/real-clock.ts';
import { startRedisServer } from './testing/redis-server.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';

const LEASE_TTL_MS = 1000;
/** For tests in which no lease may end: a busy machine may need more than a second for the rest. */
const LONG = { leaseTtlMs: 60_000 };

test('a process whose link is cut silently loses its lease by its own deadline before another process gets the file', async () => {
  const { server, redis } = await startServer();
  const proxy = await startTcpProxy(server.url);
  onTestFinished(() => proxy.close());
  const cut = await open(`redis://127.0.0.1:${proxy.port}`);
  const other = await open(server.url);
  const lease = await granted(cut, 'first');
  await other.scheduler.enqueue(entryOf('second'));

  proxy.cut();
  await expect(cut.scheduler.enqueue(entryOf('third', 'b.ts'))).rejects.toMatchObject({ code: 'redis-gone' });
  await expect.poll(() => cut.lost, { timeout: 20_000 }).toEqual([lease.commandId]);
  expect(other.granted).toEqual([]);
  expect(await cut.scheduler.isCurrent(lease)).toBe(false);
  // The living process must release the dead one's lease, one time to live later.
  await expect.poll(() => other.lost, { timeout: 20_000 }).toEqual([lease.commandId]);
  await other.scheduler.release(lease.leaseId);
  await expect.poll(() => other.granted, { timeout: 20_000 }).toEqual([aCommandId('second')]);

  proxy.mend();
  await expect
    .poll(
      () =>
        cut.scheduler.enqueue(entryOf('later', 'c.ts')).then(
          ({ kind }) => kind,
          () => 'away',
        ),
      { timeout: 20_000 },
    )
    .toBe('granted');
  await expect(cut.scheduler.renew(lease.leaseId)).rejects.toMatchObject({ code: 'lease-lost' });
  await cut.scheduler.tick();
  await endAll(other);
  await expect.poll(() => keysOf(redis), { timeout: 20_000 }).toEqual(['epoch', 'owners', 'queue']);
});

test.each([
  {
    what: 'a memory that is full',
    begin: ['CONFIG', 'SET', 'maxmemory', '1'],
    end: ['CONFIG', 'SET', 'maxmemory', '0'],
    why: 'its memory is full',
  },
  {
    what: 'a master that was made a replica',
    begin: ['REPLICAOF', '127.0.0.1', '1'],
    end: ['REPLICAOF', 'NO', 'ONE'],
    why: 'it is a read-only replica',
  },
])(
  '$what refuses every change with its reason, and leaves nothing half-done',
  async ({ begin, end, why }) => {
    const { server, redis } = await startServer();
    const { scheduler, store, events, facts } = await open(server.url, LONG);
    await store.commit(aCommandRecord(), [anOutputEvent('x')]);
    await facts.set('mode', 'NORMAL');
    await scheduler.enqueue(entryOf('holds'));
    await scheduler.enqueue(entryOf('waits'));
    await scheduler.tick();
    const before = await contentsOf(redis);

    await redis.call(...(begin as [string, ...string[]]));
    const refused = { code: 'redis-refused', message: expect.stringContaining(why) as string };
    await expect(scheduler.enqueue(entryOf('more', 'b.ts'))).rejects.toMatchObject(refused);
    await expect(scheduler.enqueue(entryOf('behind'))).rejects.toMatchObject(refused);
    await expect(
      store.commit(aCommandRecord({ id: aCommandId('new') }), [anOutputEvent('y')]),
    ).rejects.toMatchObject(refused);
    await expect(store.commit(aCommandRecord({ revision: 2 }), [])).rejects.toMatchObject(refused);
    await expect(events.append([anOutputEvent('z')])).rejects.toMatchObject(refused);
    await expect(facts.set('mode', 'ALERT')).rejects.toMatchObject(refused);
    await expect(facts.compareAndSet('mode', { expected: 'NORMAL', value: 'ALERT' })).rejects.toMatchObject(
      refused,
    );
    // Reads still work.
    expect(await facts.get('mode')).toBe('NORMAL');
    expect((await scheduler.snapshot()).waiting.map(({ commandId }) => commandId)).toEqual([
      aCommandId('waits'),
    ]);
    expect(await contentsOf(redis)).toEqual(before);

    await redis.call(...(end as [string, ...string[]]));
    await expect
      .poll(
        () =>
          scheduler.enqueue(entryOf('after', 'c.ts')).then(
            ({ kind }) => kind,
            () => 'refused',
          ),
        { timeout: 20_000 },
      )
      .toBe('granted');
  },
);

test('with a full memory releases still work and make room', async () => {
  const { server, redis } = await startServer();
  const backend = await open(server.url, LONG);
  const lease = await granted(backend, 'holds');
  await backend.scheduler.enqueue(entryOf('waits'));
  await redis.config('SET', 'maxmemory', '1');
  await backend.scheduler.release(lease.leaseId);
  await expect.poll(() => backend.granted).toEqual([aCommandId('waits')]);
});

test('clock differences of hours between machines have no effect', async () => {
  const { server } = await startServer();
  const ahead = await open(server.url, { ...LONG, clock: shifted(3_600_000) });
  const behind = await open(server.url, { ...LONG, clock: shifted(-3_600_000) });
  const lease = await granted(ahead, 'first');
  await behind.scheduler.enqueue(entryOf('second'));
  expect(Math.abs(lease.grantedAt - Date.now())).toBeLessThan(60_000);
  const [waiting] = (await ahead.scheduler.snapshot()).waiting;
  expect(Math.abs((waiting?.since ?? 0) - Date.now())).toBeLessThan(60_000);
  await ahead.scheduler.tick();
  await behind.scheduler.tick();
  expect([...ahead.lost, ...behind.lost]).toEqual([]);
  await ahead.scheduler.release(lease.leaseId);
  await expect.poll(() => behind.granted).toEqual([aCommandId('second')]);
});

test('a process that was frozen past the end of its lease is fenced when it wakes', async () => {
  const { server } = await startServer();
  const program = `
    const { hold } = await import(${JSON.stringify(new URL('testing/holding-process.ts', import.meta.url).href)});
    await hold(${JSON.stringify({ url: server.url, file: 'a.ts', leaseTtlMs: LEASE_TTL_MS })});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const said = async (): Promise<HoldingProcess> =>
    JSON.parse(String((await once(lines, 'line'))[0])) as HoldingProcess;
  expect(await said()).toEqual({ isCurrent: true, renewal: 'renewed', lost: false });

  const other = await open(server.url);
  child.kill('SIGSTOP');
  await other.scheduler.enqueue(entryOf('next'));
  await expect.poll(() => other.lost.length, { timeout: 20_000 }).toBe(1);
  const [lost] = (await other.scheduler.snapshot()).leases;
  if (lost !== undefined) await other.scheduler.release(lost.leaseId);
  await expect.poll(() => other.granted, { timeout: 20_000 }).toEqual([aCommandId('next')]);
  child.kill('SIGCONT');
  child.stdin.write('well?\n');
  expect(await said()).toEqual({ isCurrent: false, renewal: 'LeaseLostError', lost: true });
});

type Backend = Awaited<ReturnType<typeof open>>;

async function startServer() {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  return { server, redis };
}

async function open(
  url: string,
  { clock = createRealClock(), leaseTtlMs = LEASE_TTL_MS }: { clock?: Clock; leaseTtlMs?: number } = {},
) {
  const backend = await createRedisBackend({
    url,
    workspace: 'shop',
    clock,
    random: (length) => randomBytes(length),
    limits: { maxConcurrent: 4, maxQueuePerProvider: 10, maxWaitMs: 60_000, leaseTtlMs },
    logger: createMemoryLogger(),
    volatile: true,
    commandTimeoutMs: 1000,
  });
  onTestFinished(() => backend.close());
  const [won, lost]: [CommandId[], CommandId[]] = [[], []];
  const note = (list: CommandId[]) => (lease: Lease) => void list.push(lease.commandId);
  backend.scheduler.listen({ granted: note(won), lost: note(lost), stale: () => undefined });
  return { ...backend, granted: won, lost };
}

function shifted(byMs: number): Clock {
  const clock = createRealClock();
  return { ...clock, now: () => clock.now() + byMs, monotonic: () => clock.monotonic() + byMs };
}

async function granted({ scheduler }: Backend, label: string): Promise<Lease> {
  const answer = await scheduler.enqueue(entryOf(label));
  if (answer.kind !== 'granted') throw new Error(answer.kind);
  return answer.lease;
}

function entryOf(label: string, path = 'a.ts') {
  return aQueueEntry({ commandId: aCommandId(label), claims: [writeClaim(pathResource(path))] });
}

async function endAll({ scheduler }: Backend): Promise<void> {
  for (const { leaseId } of (await scheduler.snapshot()).leases) await scheduler.release(leaseId);
}

/** Keys without the prefix, except the inboxes of dead processes, which expire. */
async function keysOf(redis: Redis): Promise<readonly string[]> {
  const keys = (await redis.keys('*')).filter((key) => !isJobHistory(key)).toSorted();
  const lasting = await Promise.all(keys.map(async (key) => ((await redis.pttl(key)) < 0 ? [key] : [])));
  return lasting.flat().map((key) => key.replace('{shop}:', ''));
}

/** Every key with its value, except when each process was last seen. */
async function contentsOf(redis: Redis): Promise<Readonly<Record<string, unknown>>> {
  const keys = (await redis.keys('*')).filter((key) => !key.endsWith(':owners'));
  const valueOf = async (key: string): Promise<unknown> =>
    (await redis.type(key)) === 'hash' ? redis.hgetall(key) : (await redis.dumpBuffer(key))?.toString('hex');
  return Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await valueOf(key)] as const)));
}
