import { randomBytes } from 'node:crypto';
import {
  type CommitAnswer,
  createId,
  type Execution,
  type ExecutionHooks,
  type ExecutionRequest,
  type Executor,
  Isolation,
  type NodeRecord,
  notStarted,
} from '@signalbox/core';
import { aCommandId, createMemoryLogger } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisBackend } from '../backend.ts';
import { anOrder } from '../testing/an-order.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { startRedisServer } from '../testing/redis-server.ts';
import { offer } from './execution-scripts.ts';
import { createDispatchChannel } from './dispatch-channel.ts';
import { createRemoteExecutor } from './remote-executor.ts';
import { createRunQueues } from './run-queue.ts';
import type { PresenceProbe } from './presence-probe.ts';
import { startWorker } from './worker.ts';

const LIMITS = { maxConcurrent: 20, maxQueuePerProvider: 100, maxWaitMs: 60_000, leaseTtlMs: 30_000 };
const LIMITS_OF_PROGRAM = {
  timeoutMs: 60_000,
  memoryBytes: 1,
  cpuPercent: 1,
  processes: 1,
  fileBytes: 1,
  openFiles: 1,
};
const SEES_NO_PROCESSES: PresenceProbe = { sees: async () => false, isGone: () => false };
const SEES_ALL_GONE: PresenceProbe = { sees: async () => true, isGone: () => true };
const OFF = { strength: 'off' } as const;
const UNCONFINED = Isolation.parse({
  layer: 'none',
  fs: OFF,
  net: OFF,
  pid: OFF,
  syscalls: OFF,
  tracking: OFF,
  limits: {
    cpu: OFF,
    memory: OFF,
    processes: OFF,
    disk: OFF,
  },
});

test('a draining worker finishes what it runs, and executions it has not begun go to another worker', async () => {
  const { execute, worker } = await startDispatch();
  const draining = await worker(1, { labels: ['gpu', 'linux'] });
  const running = execute('running');
  await draining.begun();
  const waiting = execute('waiting');
  const drained = draining.drain();
  const other = await worker(2, { labels: [] });
  await other.begun();
  other.finish();
  expect((await waiting).ended).toEqual({ kind: 'exited', exitCode: 2 });
  draining.finish();
  expect((await running).ended).toEqual({ kind: 'exited', exitCode: 1 });
  await drained;
});

test('an execution whose worker starts draining during the offer goes to another worker', async () => {
  const offering = Promise.withResolvers<void>();
  const mayOffer = Promise.withResolvers<void>();
  const { execute, worker, seen, connection } = await startDispatch(async () => {
    offering.resolve();
    await mayOffer.promise;
  });
  const leaving = await worker(1, { labels: ['gpu'] });
  const running = execute('running');
  await offering.promise;
  await leaving.drain();
  const offered = (): readonly number[] => (seen.at(-1) ?? []).map(({ concurrency }) => concurrency);
  await expect.poll(offered, { timeout: 30_000 }).toEqual([0, 0]);
  // Wait until the resulting requests to Redis are answered.
  await connection.ask((redis) => redis.ping());
  mayOffer.resolve();
  const other = await worker(2, { labels: [] });
  other.finish();
  expect((await running).ended).toEqual({ kind: 'exited', exitCode: 2 });
});

test('a worker is told to stop a program, and then to kill it', async () => {
  const { execute, worker } = await startDispatch();
  const [stop, kill] = [new AbortController(), new AbortController()];
  const running = execute('running', { signal: stop.signal, kill: kill.signal });
  const one = await worker(1, { labels: [] });
  const { signal, kill: killed } = await one.begun();
  stop.abort();
  await reported(signal);
  expect(killed?.aborted).toBe(false);
  kill.abort();
  await reported(killed);
  one.finish();
  expect((await running).ended).toEqual({ kind: 'exited', exitCode: 1 });
});

/** Settles when the signal aborts, or has aborted already. */
async function reported(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise((resolve) => signal?.addEventListener('abort', resolve));
}

test('a worker that asks a coordinator about a forgotten execution is told to stop', async () => {
  const { execute, worker, connection, beat } = await startDispatch();
  const { begun } = await worker(1, { labels: [] });
  const controller = new AbortController();
  const running = execute('running', { signal: controller.signal, mayCommit: async () => ({ kind: 'ok' }) });
  const hooks = await begun();
  await connection.ask((redis) => redis.flushall());
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 'lease-lost' });
  await beat();
  // The worker's next heartbeat makes it known again, as the coordinator's does.
  await expect.poll(() => connection.ask((redis) => redis.hlen('{shop}:members'))).toBe(2);
  await hooks.mayCommit?.([]);
  expect(hooks.signal.aborted).toBe(true);
});

test('an execution of a frozen worker is over once none of its processes is left, unless it may commit already (F §2)', async () => {
  const { execute, worker, declareDead } = await startDispatch(undefined, SEES_ALL_GONE);
  const [frozen, leaving] = [await worker(1, { labels: ['a'] }), await worker(2, { labels: ['b'] })];
  let asked = 0;
  const mayCommit = async (): Promise<CommitAnswer> => {
    asked += 1;
    return { kind: 'ok' };
  };
  const lost = execute('frozen', { labels: ['a'], mayCommit });
  const kept = execute('leaving', { labels: ['b'], mayCommit });
  const hooks = await frozen.begun();
  hooks.onStart?.(1);
  const leavingHooks = await leaving.begun();
  leavingHooks.onStart?.(2);
  expect(await leavingHooks.mayCommit?.([])).toEqual({ kind: 'ok' });

  for (const { id, goSilent } of [frozen, leaving]) {
    goSilent();
    await declareDead(id);
  }
  await expect(lost).rejects.toMatchObject({ code: 'lease-lost' });
  // The worker wakes up: it may not commit, and is told to stop.
  await hooks.mayCommit?.([]);
  expect([hooks.signal.aborted, asked]).toEqual([true, 1]);
  leaving.finish();
  expect((await kept).ended).toEqual({ kind: 'exited', exitCode: 2 });
});

/**
 * A coordinator's executor, and workers that run one program at a time, each ending with the worker's number when
 * allowed.
 *
 * @param beforeOffer awaited before each offer is sent
 */
async function startDispatch(
  beforeOffer: () => Promise<void> = async () => undefined,
  presenceProbe: PresenceProbe = SEES_NO_PROCESSES,
) {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const [clock, logger] = [createRealClock(), createMemoryLogger()];
  const random = (length: number): Uint8Array => randomBytes(length);
  async function enter(as: Pick<NodeRecord, 'kind' | 'labels' | 'concurrency'>) {
    const backend = await createRedisBackend({
      url: server.url,
      workspace: 'shop',
      limits: LIMITS,
      clock,
      logger,
      random,
      volatile: true,
      takesPart: false,
      member: { ...as, id: createId(as.kind, random), host: 'here', pid: 1, identity: {}, version: '0' },
    });
    onTestFinished(() => backend.close());
    const { members } = backend;
    if (members === null) throw new Error('no member');
    return {
      ...backend,
      members,
      url: server.url,
      clock,
      logger,
      leaseTtlMs: LIMITS.leaseTtlMs,
      presenceProbe,
    };
  }

  const coordinator = await enter({ kind: 'coordinator', labels: [], concurrency: 0 });
  const queues = createRunQueues({ ...coordinator, prefix: coordinator.connection.prefix });
  onTestFinished(() => queues.close());
  const channel = createDispatchChannel({ ...coordinator, self: coordinator.members.self });
  /** The members returned by each read of the executor. */
  const seen: (readonly NodeRecord[])[] = [];
  const remote = createRemoteExecutor({
    ...coordinator,
    connection: {
      ...coordinator.connection,
      async run(script, input) {
        if (script.url === offer.url) await beforeOffer();
        return coordinator.connection.run(script, input);
      },
    },
    members: {
      ...coordinator.members,
      async living() {
        const living = await coordinator.members.living();
        seen.push(living);
        return living;
      },
    },
    queues,
    channel,
    random,
    takeBackFiles: async () => undefined,
    needs: () => ({ sandboxed: false, transactional: false }),
    setup: () => null,
  });
  await channel.open(remote.receive);

  return {
    seen,
    connection: coordinator.connection,
    beat: coordinator.members.beat,
    declareDead: coordinator.members.declareDead,
    execute(label: string, hooks: Partial<ExecutionHooks> = {}): Promise<Execution> {
      const { signal } = new AbortController();
      return remote.execute(requestOf(label), { signal, onOutput: () => undefined, ...hooks });
    },
    async worker(number: number, { labels }: { readonly labels: readonly string[] }) {
      const begun = Promise.withResolvers<ExecutionHooks>();
      const end = Promise.withResolvers<void>();
      const executor: Executor = {
        isolation: async () => UNCONFINED,
        async execute(_, hooks) {
          begun.resolve(hooks);
          await end.promise;
          return { ...notStarted(clock.now(), UNCONFINED), ended: { kind: 'exited', exitCode: number } };
        },
      };
      const entered = await enter({ kind: 'worker', labels: [...labels], concurrency: 1 });
      const { drain } = await startWorker({
        ...entered,
        labels,
        concurrency: 1,
        executorFor: () => executor,
        denialOf: () => () => false,
      });
      return {
        id: entered.members.self,
        /** Otherwise it would register again as soon as it learns that it was taken for dead. */
        goSilent: entered.members.close,
        begun: () => begun.promise,
        finish: () => end.resolve(),
        drain,
      };
    },
  };
}

function requestOf(label: string): ExecutionRequest {
  const { request } = anOrder({ commandId: aCommandId(label), lease: null });
  return { ...request, limits: LIMITS_OF_PROGRAM } as ExecutionRequest;
}
