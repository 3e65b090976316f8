import { randomBytes } from 'node:crypto';
import {
  type CommandRecord,
  createId,
  pathResource,
  type QueueEntry,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';
import { aCommandRecord, aQueueEntry, createMemoryLogger, ended } from '@signalbox/core/testing';
import { Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisBackend } from '../backend.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { startRedisServer } from '../testing/redis-server.ts';

async function start({ maxConcurrent = 3, leaseTtlMs = 30_000 } = {}) {
  const server = await startRedisServer();
  onTestFinished(() => server.close());

  async function openBackend() {
    const backend = await createRedisBackend({
      url: server.url,
      workspace: 'shop',
      clock: createRealClock(),
      random: randomBytes,
      limits: { maxConcurrent, maxQueuePerProvider: 10, maxWaitMs: 60_000, leaseTtlMs },
      logger: createMemoryLogger(),
      volatile: true,
    });
    onTestFinished(() => backend.close());
    return backend;
  }
  const redis = new Redis(server.url, { maxRetriesPerRequest: null });
  onTestFinished(() => redis.disconnect());
  const of = { connection: redis, prefix: '{shop}' };
  /** Opened as by Bull Board or any other BullMQ client. */
  const queue = new Queue('commands', of);
  return { ...(await openBackend()), openBackend, server, redis, queue, of };
}

/** The state of each job known to BullMQ. */
async function jobsOf(queue: Queue) {
  const jobs = await queue.getJobs();
  return Promise.all(jobs.map(async (job) => [job.id, await job.getState()]));
}

function entryOn(file: string, of: Partial<QueueEntry> = {}): QueueEntry {
  const commandId = createId('command', randomBytes);
  return aQueueEntry({ commandId, claims: [writeClaim(pathResource(file))], ...of });
}

function running(of: Partial<CommandRecord> = {}): CommandRecord {
  return aCommandRecord({ title: 'bash npm test', ...of });
}

test('a granted command is an active job with its title and provider, from the step that grants it (U-07)', async () => {
  const { scheduler, store, queue } = await start();
  const record = running();
  await store.commit(record, []);
  const entry = entryOn('a.ts', { commandId: record.id, priority: 7 });
  const answer = await scheduler.enqueue(entry);
  expect(answer.kind).toBe('granted');
  const job = await queue.getJob(record.id);
  expect(await job?.getState()).toBe('active');
  expect(job).toMatchObject({
    name: 'bash npm test',
    priority: 7,
    data: { provider: entry.provider },
    processedBy: expect.stringMatching(/^cor_/),
    attemptsStarted: 1,
  });
  expect(job?.processedOn).toBeGreaterThanOrEqual(job?.timestamp ?? Infinity);
});

test('a command behind another has no job; the release that frees it creates one, for its own coordinator (U-07, U-09)', async () => {
  const { scheduler, openBackend, queue } = await start();
  const other = await openBackend();
  const first = await scheduler.enqueue(entryOn('a.ts'));
  const second = entryOn('a.ts');
  const { promise: granted, resolve } = Promise.withResolvers<unknown>();
  other.scheduler.listen({ granted: resolve, lost: () => undefined, stale: () => undefined });
  await other.scheduler.enqueue(second);
  expect(await queue.getJob(second.commandId)).toBeUndefined();
  if (first.kind !== 'granted') throw new Error('not granted');
  await scheduler.release(first.lease.leaseId);
  expect(await (await queue.getJob(second.commandId))?.getState()).toBe('active');
  expect(await granted).toMatchObject({ commandId: second.commandId });
});

test('a command that needs only a slot is a prioritized job, and leaves no job when it is cancelled', async () => {
  const { scheduler, queue } = await start({ maxConcurrent: 1 });
  await scheduler.enqueue(entryOn('a.ts'));
  const [low, high, gone] = [200, 1, 50].map((priority, n) => entryOn(`${n}.ts`, { priority }));
  for (const entry of [low, high, gone]) if (entry !== undefined) await scheduler.enqueue(entry);
  if (gone !== undefined) await scheduler.cancel(gone.commandId);
  expect((await queue.getPrioritized()).map(({ id }) => id)).toEqual([high?.commandId, low?.commandId]);
  expect(await queue.getJobCounts()).toMatchObject({ active: 1, prioritized: 2, waiting: 0 });
  if (low !== undefined) await scheduler.prioritize(low.commandId, 0);
  expect((await queue.getPrioritized()).map(({ id, priority }) => [id, priority])).toEqual([
    [low?.commandId, 0],
    [high?.commandId, 1],
  ]);
});

test.each([
  { outcome: 'completed', state: 'completed', value: { returnvalue: 'completed' } },
  { outcome: 'timed_out', state: 'failed', value: { failedReason: 'timed_out' } },
] as const)('a job ends $state with the record of a command that ended $outcome', async (of) => {
  const { scheduler, store, queue } = await start();
  const record = running();
  const events = await following(queue);
  await store.commit(record, []);
  const answer = await scheduler.enqueue(entryOn('a.ts', { commandId: record.id }));
  if (answer.kind !== 'granted') throw new Error('not granted');
  const begun = { ...record, revision: 2, state: 'running' as const };
  await store.commit(begun, []);
  await store.commit(ended(begun, { outcome: of.outcome }), []);
  const job = await queue.getJob(record.id);
  expect(await job?.getState()).toBe(of.state);
  expect(job).toMatchObject({ ...of.value, attemptsMade: 1, finishedOn: expect.any(Number) });
  await scheduler.release(answer.lease.leaseId);
  expect(await jobsOf(queue)).toEqual([[record.id, of.state]]);
  expect(await events(record.id, of.state)).toEqual(['added', 'active', of.state]);
});

test('a command waiting to commit its changes keeps its job, and one that goes back to be approved has none', async () => {
  const { scheduler, store, queue } = await start();
  const record = running();
  await store.commit(record, []);
  const entry = entryOn('a.ts', { commandId: record.id });
  const first = await scheduler.enqueue(entry);
  const begun = { ...record, revision: 2, state: 'running' as const };
  await store.commit(begun, []);
  if (first.kind !== 'granted') throw new Error('not granted');
  await scheduler.release(first.lease.leaseId);
  expect(await jobsOf(queue)).toEqual([[record.id, 'active']]);
  const again = await scheduler.enqueue({ ...entry, placeless: true });
  expect(again.kind).toBe('granted');
  expect(await jobsOf(queue)).toEqual([[record.id, 'active']]);
  await store.commit({ ...begun, revision: 3, state: 'classified' }, []);
  expect(await jobsOf(queue)).toEqual([]);
});

test('after a tick the last 1,000 completed jobs are kept, and no key of older ones', async () => {
  const { scheduler, queue, redis } = await start();
  for (let n = 0; n < 1070; n++) {
    const answer = await scheduler.enqueue(entryOn('a.ts'));
    if (answer.kind === 'granted') await scheduler.release(answer.lease.leaseId);
  }
  await scheduler.tick();
  expect(await queue.getJobCounts()).toMatchObject({ completed: 1000, active: 0 });
  expect(await redis.keys('{shop}:commands:cmd_*')).toHaveLength(1000);
});

test('BullMQ reads how many jobs completed in each minute, newest first', async () => {
  const { scheduler, queue, redis } = await start();
  const run = async (count: number): Promise<void> => {
    const answer = await scheduler.enqueue(entryOn('a.ts'));
    if (answer.kind === 'granted') await scheduler.release(answer.lease.leaseId);
    // Jobs that end in the millisecond of a tick are counted by the next.
    const counted = async (): Promise<number> => {
      await scheduler.tick();
      return (await queue.getMetrics('completed')).meta.count;
    };
    await expect.poll(counted).toBe(count);
  };
  await run(1);
  await run(2);
  await redis.hincrby('{shop}:commands:metrics:completed', 'prevTS', -3 * 60_000);
  await run(3);
  const { meta, data } = await queue.getMetrics('completed');
  expect(meta.count).toBe(3);
  // A minute may have ended meanwhile; the third job is counted in the minute of the tick that found it.
  expect(data.length).toBeGreaterThanOrEqual(3);
  expect([2, 3]).toContain(data.at(-1));
});

test('BullMQ lists the coordinators as the workers of the queue', async () => {
  const { server, queue } = await start();
  const id = createId('coordinator', randomBytes);
  const backend = await createRedisBackend({
    url: server.url,
    workspace: 'shop',
    clock: createRealClock(),
    random: randomBytes,
    limits: { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 60_000, leaseTtlMs: 30_000 },
    logger: createMemoryLogger(),
    volatile: true,
    member: {
      id,
      kind: 'coordinator',
      host: 'a',
      pid: 1,
      identity: {},
      version: '1',
      labels: [],
      concurrency: 0,
    },
  });
  onTestFinished(() => backend.close());
  expect(await queue.getWorkers()).toMatchObject([{ rawname: expect.stringContaining(`:w:${id}`) }]);
});

test('editing a job by hand runs nothing again and hinders no command', async () => {
  const { scheduler, queue, of } = await start();
  const entry = entryOn('a.ts');
  const answer = await scheduler.enqueue(entry);
  if (answer.kind !== 'granted') throw new Error('not granted');
  await (await queue.getJob(entry.commandId))?.remove();
  await queue.pause();
  await scheduler.release(answer.lease.leaseId);
  const next = await scheduler.enqueue(entryOn('a.ts'));
  if (next.kind !== 'granted') throw new Error('not granted');
  await queue.resume();
  // A stalled-job check by another worker: our jobs have no BullMQ lock.
  const taken: string[] = [];
  const worker = new Worker('commands', async ({ id = '' }) => void taken.push(id), {
    ...of,
    stalledInterval: 50,
    maxStalledCount: 0,
    drainDelay: 1,
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  worker.on('failed', (job) => resolve(job?.id ?? ''));
  expect(await promise).toBe(next.lease.commandId);
  await worker.close();
  expect(taken).toEqual([]);
  expect(await scheduler.isCurrent(next.lease)).toBe(true);
});

test('a lost lease leaves its job active until it is reported that nothing of it is left', async () => {
  const { scheduler, queue } = await start({ leaseTtlMs: 200 });
  const { promise: lost, resolve } = Promise.withResolvers<unknown>();
  scheduler.listen({ granted: () => undefined, lost: resolve, stale: () => undefined });
  const answer = await scheduler.enqueue(aQueueEntry({ claims: [writeClaim(WORKSPACE)] }));
  if (answer.kind !== 'granted') throw new Error('not granted');
  await lost;
  expect(await queue.getJobCounts()).toMatchObject({ active: 1 });
  await scheduler.release(answer.lease.leaseId);
  expect(await queue.getJobCounts()).toMatchObject({ active: 0 });
});

/** Listens with BullMQ's QueueEvents; resolves with a job's events up to the given one. */
async function following(queue: Queue) {
  const events = new QueueEvents('commands', {
    connection: { path: (queue.opts.connection as Redis).options.path ?? '', maxRetriesPerRequest: null },
    prefix: '{shop}',
    lastEventId: '0-0',
  });
  onTestFinished(() => events.close());
  const heard: { id: string; event: string }[] = [];
  const last = new Map<string, () => void>();
  for (const event of ['added', 'waiting', 'active', 'completed', 'failed'] as const)
    events.on(event, ({ jobId }: { jobId: string }) => {
      heard.push({ id: jobId, event });
      last.get(event)?.();
    });
  await events.waitUntilReady();
  return async (id: string, until: string): Promise<readonly string[]> => {
    await new Promise<void>((resolve) => {
      last.set(until, resolve);
      if (heard.some(({ event }) => event === until)) resolve();
    });
    return heard.filter((one) => one.id === id).map(({ event }) => event);
  };
}
