import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId, type Executor, type NodeId } from '@signalbox/core';
import { createMemoryLogger, executorContract } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { createPathDenial } from '@signalbox/policy';
import {
  createDispatchChannel,
  createRedisBackend,
  createRemoteExecutor,
  createRunQueues,
  type RedisBackend,
  startWorker,
  tellIsolation,
} from '@signalbox/redis';
import { type RedisServer, startRedisServer } from '@signalbox/redis/testing';
import { createExecutor } from '@signalbox/sandbox';
import { afterAll, beforeAll } from 'vitest';

const LIMITS = { maxConcurrent: 20, maxQueuePerProvider: 100, maxWaitMs: 60_000, leaseTtlMs: 30_000 };
const NOBODY_SEEN = { sees: async () => false, isGone: () => false };
const clock = createSystemClock();
const logger = createMemoryLogger();
let server: RedisServer;
let runtime: Awaited<ReturnType<typeof openRuntime>>;

beforeAll(async () => {
  server = await startRedisServer();
  runtime = await openRuntime();
});
afterAll(async () => {
  await runtime.close();
  await server.close();
});

/** A coordinator's executor and a worker on one workspace. */
async function openRuntime() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-remote-')));
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const local = localExecutor(workspace);
  async function enter(id: NodeId, kind: 'coordinator' | 'worker') {
    const backend = await createRedisBackend({
      url: server.url,
      workspace: 'contract',
      clock,
      random: (length) => randomBytes(length),
      limits: LIMITS,
      logger,
      volatile: true,
      takesPart: false,
      member: {
        id,
        kind,
        host: 'here',
        pid: process.pid,
        identity: {},
        version: '0',
        labels: [],
        concurrency: 10,
      },
    });
    return { ...backend, members: nodesOf(backend) };
  }
  const coordinator = await enter(
    createId('coordinator', (length) => randomBytes(length)),
    'coordinator',
  );
  const worker = await enter(
    createId('worker', (length) => randomBytes(length)),
    'worker',
  );
  const taking = await startWorker({
    connection: worker.connection,
    url: server.url,
    members: worker.members,
    facts: worker.facts,
    labels: [],
    concurrency: 12,
    leaseTtlMs: LIMITS.leaseTtlMs,
    presenceProbe: NOBODY_SEEN,
    executorFor: () => local,
    denialOf: (patterns) => createPathDenial(patterns, { workspace, home: homedir() }),
    clock,
    logger,
  });
  const { connection, members, facts } = coordinator;
  const channel = createDispatchChannel({ connection, self: members.self, logger });
  const queues = createRunQueues({ url: server.url, prefix: connection.prefix, logger });
  const remote = createRemoteExecutor({
    connection,
    queues,
    channel,
    members,
    facts,
    leaseTtlMs: LIMITS.leaseTtlMs,
    presenceProbe: NOBODY_SEEN,
    takeBackFiles: async () => undefined,
    needs: () => ({ sandboxed: true, transactional: true }),
    setup: () => null,
    clock,
    random: (length) => randomBytes(length),
    logger,
  });
  await channel.open(remote.receive);
  await tellIsolation({ facts: worker.facts, self: worker.members.self }, await local.isolation());
  return {
    executor: remote,
    workspace,
    async close() {
      await taking.drain();
      await queues.close();
      await worker.close();
      await coordinator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function nodesOf({ members }: RedisBackend): NonNullable<RedisBackend['members']> {
  if (members === null) throw new Error('no member');
  return members;
}

function localExecutor(workspace: string): Executor {
  return createExecutor({
    workspace,
    stateFolder: join(workspace, '..', 'state'),
    path: process.env['PATH'] ?? '/usr/bin:/bin',
    home: homedir(),
    confinement: 'required',
    transactions: 'where-possible',
    clock,
    standby: 0,
    graceMs: 300,
  });
}

executorContract('a worker, by way of Redis', async () => ({
  executor: runtime.executor,
  // The next test finds it empty.
  async close() {
    for (const name of readdirSync(runtime.workspace))
      rmSync(join(runtime.workspace, name), { recursive: true, force: true });
  },
}));
