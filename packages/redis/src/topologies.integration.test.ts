import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { CommandId } from '@signalbox/core';
import { createId, pathResource, writeClaim } from '@signalbox/core';
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
import { createRunQueues, createRunTaker } from './dispatch/run-queue.ts';
import {
  admitDocumentedUser,
  DOCUMENTED_USER,
  PASSWORD,
  refusalsOf,
  setDocumentedUser,
} from './testing/documented-user.ts';
import { createRealClock } from './testing/real-clock.ts';
import { freePort, REDIS_SERVER, startRedisServer } from './testing/redis-server.ts';

const run = promisify(execFile);
const LIMITS = { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 60_000, leaseTtlMs: 3000 };

test('a server is reached with user and password, and the user needs only the documented commands', async () => {
  const user = await admitDocumentedUser(await start());
  onTestFinished(() => user.close());
  await useAll(await open(user.url));
  await carry(user.url);
  expect(await user.refusals()).toEqual([]);
  const error: unknown = await open(user.url.replace('word', 'wrong')).catch((cause: unknown) => cause);
  expect(error).toMatchObject({
    code: 'redis-refused',
    message: expect.stringContaining('user or password'),
  });
  expect(JSON.stringify(error)).not.toContain('wrong');
});

test("TLS is used if the server's certificate is trusted, and refused otherwise", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const wanted =
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost ` +
    `-addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${certificate}`;
  await run('openssl', wanted.split(' '));
  const port = await freePort();
  const settings = `--tls-port ${port} --tls-cert-file ${certificate} --tls-key-file ${key} --tls-ca-cert-file ${certificate}`;
  await start([...settings.split(' '), '--tls-auth-clients', 'no']);
  const url = `rediss://127.0.0.1:${port}?ca=${encodeURIComponent(certificate)}`;
  await useAll(await open(url));
  await carry(url);
  await expect(open(`rediss://127.0.0.1:${port}`)).rejects.toMatchObject({
    code: 'redis-gone',
    why: [expect.stringMatching(/self.signed/)],
  });
});

test('a cluster of three nodes keeps each workspace on one node, and every workspace is reachable (U-11)', async () => {
  const ports = await startCluster();
  const url = `redis+cluster://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
  for (const workspace of ['shop', 'a', 'b']) await useAll(await open(url, workspace));
  await carry(url);
  const nodes = await Promise.all(ports.map((port) => client(`redis://127.0.0.1:${port}`)));
  const keys = await Promise.all(nodes.map((node) => node.keys('*')));
  const homes = ['shop', 'a', 'b'].map(
    (name) => keys.filter((found) => found.some((key) => key.startsWith(`{${name}}:`))).length,
  );
  expect(homes).toEqual([1, 1, 1]);
  expect(keys.filter((found) => found.length > 0).length).toBeGreaterThan(1);

  const workspace = 'user';
  for (const node of nodes) await setDocumentedUser(node, { workspace, more: 'In a cluster' });
  const asUser = url.replace('//', `//${DOCUMENTED_USER}@`);
  await useAll(await open(asUser, workspace));
  await carry(asUser, workspace);
  expect((await Promise.all(nodes.map(refusalsOf))).flat()).toEqual([]);
});

test('when the master dies, its replica is promoted and grants nothing before the old leases are over', async () => {
  const [port, replicaPort, sentinelPort] = [await freePort(), await freePort(), await freePort()];
  const master = await start(['--port', String(port), '--repl-diskless-sync-delay', '0']);
  const replica = await start(['--port', String(replicaPort), '--replicaof', '127.0.0.1', String(port)]);
  const observer = await client(replica.url);
  await expect
    .poll(() => observer.info('replication'), { timeout: 20_000 })
    .toContain('master_link_status:up');
  await startSentinel(sentinelPort, port);
  const sentinel = await client(`redis://127.0.0.1:${sentinelPort}`);
  const servers = [await client(master.url), observer];
  for (const server of servers) await setDocumentedUser(server);
  await setDocumentedUser(sentinel, { as: 'ACL SETUSER signalbox-sentinel' });
  // A sentinel would not promote a replica that it has not discovered yet.
  await expect
    .poll(() => sentinel.call('SENTINEL', 'REPLICAS', 'main').then(String), { timeout: 20_000 })
    .toMatch(/flags,slave,.*info-refresh,\d/);

  const watcher = `sentinelUsername=signalbox&sentinelPassword=${encodeURIComponent(PASSWORD)}`;
  const at = `redis+sentinel://${DOCUMENTED_USER}@127.0.0.1:${sentinelPort}`;
  const url = `${at}/main?${watcher}`;
  const { scheduler } = await open(url);
  const granted: CommandId[] = [];
  scheduler.listen({
    granted: (lease) => granted.push(lease.commandId),
    lost: () => undefined,
    stale: () => undefined,
  });
  const first = await scheduler.enqueue(entryOf('first'));
  expect(first.kind).toBe('granted');
  await expect.poll(() => observer.exists('{shop}:leases'), { timeout: 20_000 }).toBe(1);
  const renewing = setInterval(() => {
    if (first.kind === 'granted') scheduler.renew(first.lease.leaseId).catch(() => undefined);
  }, 200);
  onTestFinished(() => clearInterval(renewing));
  await master.kill();
  const second = async (): Promise<string> =>
    (await scheduler.enqueue(entryOf('second', 'b.ts')).catch(() => ({ kind: 'away' }))).kind;
  // On another file: it waits only until the old master's possible grants are over. A sentinel that could not run for 2
  // s distrusts the clock for 30 s (TILT) and promotes nothing meanwhile.
  await expect.poll(second, { timeout: 90_000, interval: 20 }).toBe('waiting');
  await expect.poll(() => granted, { timeout: 20_000 }).toEqual([aCommandId('second')]);
  await carry(url);
  for (const left of [await client(replica.url), sentinel]) expect(await refusalsOf(left)).toEqual([]);
  await expect(open(`${at}/other?${watcher}`)).rejects.toMatchObject({ code: 'redis-gone' });
}, 150_000);

/** Carries an id from a coordinator to a worker. */
async function carry(url: string, workspace = 'shop'): Promise<void> {
  const address = { url, prefix: `{${workspace}}:`, logger: createMemoryLogger() };
  const taken = Promise.withResolvers<string>();
  const taker = createRunTaker(address, {
    labels: ['gpu'],
    concurrency: 1,
    run: async (id) => taken.resolve(id),
  });
  const queues = createRunQueues(address);
  const id = createId('execution', (length) => randomBytes(length));
  await queues.add(['gpu'], id, { of: aCommandId('carried') });
  expect(await taken.promise).toBe(id);
  await taker.drain();
  await queues.close();
}

type Backend = Awaited<ReturnType<typeof open>>;

/** Uses every port once, and receives a grant caused by another process's release. */
async function useAll({ scheduler, store, events, counters, facts }: Backend): Promise<void> {
  const granted: CommandId[] = [];
  scheduler.listen({
    granted: (lease) => granted.push(lease.commandId),
    lost: () => undefined,
    stale: () => undefined,
  });
  const first = await scheduler.enqueue(entryOf('first'));
  await scheduler.enqueue(entryOf('second'));
  if (first.kind !== 'granted') throw new Error('not granted');
  await scheduler.renew(first.lease.leaseId);
  await scheduler.release(first.lease.leaseId);
  await expect.poll(() => granted, { timeout: 10_000 }).toEqual([aCommandId('second')]);
  const { leases } = await scheduler.snapshot();
  for (const { leaseId } of leases) await scheduler.release(leaseId);

  let heard = 0;
  events.subscribe(() => (heard += 1));
  const record = aCommandRecord({ id: aCommandId('kept') });
  await store.commit(record, [anOutputEvent('x')]);
  await events.append([anOutputEvent('y')]);
  await expect.poll(() => heard, { timeout: 10_000 }).toBe(2);
  expect(await store.get(record.id)).toEqual(record);
  expect(await store.find('kept')).toEqual([record.id]);
  expect(await store.list({})).toHaveLength(1);
  expect(await store.unfinished()).toHaveLength(1);
  await store.totals();
  await store.rotate({ atLeast: 10, since: 0, maxBytes: 0 });
  expect((await counters.take({ key: 'x', limit: 1, windowMs: 1000 })).kind).toBe('taken');
  expect((await counters.take({ key: 'x', limit: 1, windowMs: null })).kind).toBe('taken');
  expect(await facts.compareAndSet('mode', { expected: undefined, value: 'NORMAL' })).toBe(true);
  await facts.set('mode', 'ALERT');
  expect(await facts.get('mode')).toBe('ALERT');
}

function entryOf(label: string, path = 'a.ts') {
  return aQueueEntry({ commandId: aCommandId(label), claims: [writeClaim(pathResource(path))] });
}

async function open(url: string, workspace = 'shop') {
  const backend = await createRedisBackend({
    url,
    workspace,
    clock: createRealClock(),
    random: (length) => randomBytes(length),
    limits: LIMITS,
    logger: createMemoryLogger(),
    volatile: true,
  });
  onTestFinished(() => backend.close());
  return backend;
}

async function start(settings: readonly string[] = []) {
  const server = await startRedisServer(settings);
  onTestFinished(() => server.close());
  return server;
}

async function client(url: string): Promise<Redis> {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** Starts three masters that share the slots. */
async function startCluster(): Promise<readonly number[]> {
  const ports = [await freePort(), await freePort(), await freePort()];
  for (const port of ports)
    await start([
      '--port',
      String(port),
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      `nodes-${port}.conf`,
    ]);
  const nodes = await Promise.all(ports.map((port) => client(`redis://127.0.0.1:${port}`)));
  const bounds = [0, 5461, 10_923, 16_384];
  for (const [n, node] of nodes.entries()) {
    await node.call('CLUSTER', 'SET-CONFIG-EPOCH', n + 1);
    await node.call('CLUSTER', 'ADDSLOTSRANGE', bounds[n] ?? 0, (bounds[n + 1] ?? 0) - 1);
    if (n > 0) await node.call('CLUSTER', 'MEET', '127.0.0.1', ports[0] ?? 0);
  }
  for (const node of nodes)
    await expect
      .poll(() => node.call('CLUSTER', 'INFO'), { timeout: 30_000 })
      .toMatch(/cluster_state:ok[^]*cluster_known_nodes:3/);
  return ports;
}

async function startSentinel(port: number, masterPort: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-sentinel-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    `sentinel monitor main 127.0.0.1 ${masterPort} 1`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 2000',
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const child = spawn(REDIS_SERVER, [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('+monitor')) return;
}
