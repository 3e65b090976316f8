import { randomBytes } from 'node:crypto';
import {
  createId,
  type CommandId,
  type LeaseId,
  pathResource,
  ProviderId,
  type QueueEntry,
  writeClaim,
} from '@signalbox/core';
import { createMemoryLogger } from '@signalbox/core/testing';
import { MetricsTime, Queue, Worker } from 'bullmq';
import { Queue as GroupQueue, Worker as GroupWorker } from 'groupmq';
import { Redis } from 'ioredis';
import { createRedisBackend } from '../backend.ts';
import { createRealClock } from './real-clock.ts';

/** One way to have commands executed, each exclusively on its file. */
export type QueueDriver = {
  /** Adds a command; resolves when it is stored. */
  add(file: string): Promise<void>;
  /** Called at the start and at the end of each command. */
  onStart(callback: () => void): void;
  onEnd(callback: () => void): void;
  close(): Promise<void>;
};

const AT_ONCE = 50;
let contests = 0;

/** Our scheduler: enqueue → granted → release. */
export async function startSignalbox(url: string): Promise<QueueDriver> {
  const hooks = createHooks();
  const { scheduler, close } = await createRedisBackend({
    url,
    workspace: freshName(),
    clock: createRealClock(),
    random: (length) => randomBytes(length),
    limits: {
      maxConcurrent: AT_ONCE,
      maxQueuePerProvider: 1_000_000,
      maxWaitMs: 600_000,
      leaseTtlMs: 30_000,
    },
    logger: createMemoryLogger(),
    volatile: true,
  });
  const execute = async (leaseId: LeaseId): Promise<void> => {
    hooks.start();
    await scheduler.release(leaseId);
    hooks.end();
  };
  scheduler.listen({
    granted: ({ leaseId }) => void execute(leaseId),
    lost: () => undefined,
    stale: () => undefined,
  });
  return {
    ...hooks.of,
    close,
    async add(file) {
      const answer = await scheduler.enqueue(entryFor(file));
      if (answer.kind === 'granted') void execute(answer.lease.leaseId);
    },
  };
}

export function entryFor(file: string): QueueEntry & { readonly commandId: CommandId } {
  return {
    commandId: createId('command', (length) => randomBytes(length)),
    provider: ProviderId.parse('anthropic'),
    claims: [writeClaim(pathResource(file))],
    priority: 100,
  };
}

/** One BullMQ queue without locks: the base cost of a queue. */
export async function startBullmq(url: string, concurrency = AT_ONCE): Promise<QueueDriver> {
  const hooks = createHooks();
  const name = freshName();
  const { queue, close } = await startQueue(url, name, { concurrency, hooks });
  return {
    ...hooks.of,
    close,
    async add(file) {
      await queue.add('run', { file }, SETTINGS);
    },
  };
}

/** A BullMQ queue and worker for each file. */
export async function startQueuePerFile(url: string, files: readonly string[]): Promise<QueueDriver> {
  const hooks = createHooks();
  const name = freshName();
  const queues = new Map<string, Awaited<ReturnType<typeof startQueue>>>();
  for (const [n, file] of files.entries())
    queues.set(file, await startQueue(url, `${name}-${n}`, { concurrency: 1, hooks }));
  return {
    ...hooks.of,
    async add(file) {
      await queues.get(file)?.queue.add('run', { file }, SETTINGS);
    },
    async close() {
      await Promise.all(Array.from(queues.values(), ({ close }) => close()));
    },
  };
}

/** groupmq: one at a time per group; each file is a group. */
export async function startGroupmq(url: string): Promise<QueueDriver> {
  const hooks = createHooks();
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const queue = new GroupQueue({ redis, namespace: freshName(), jobTimeoutMs: 30_000 });
  const worker = new GroupWorker({
    queue,
    concurrency: AT_ONCE,
    handler: async () => hooks.start(),
  });
  worker.on('completed', () => hooks.end());
  void worker.run();
  return {
    ...hooks.of,
    async add(file) {
      await queue.add({ groupId: file, data: { file } });
    },
    async close() {
      await worker.close();
      redis.disconnect();
    },
  };
}

/** As for our own jobs: the last 1,000 are kept, and counted by minute. */
const KEPT = { count: 1000 };
const SETTINGS = { attempts: 1, removeOnComplete: KEPT, removeOnFail: KEPT };

async function startQueue(
  url: string,
  name: string,
  { concurrency, hooks }: Readonly<{ concurrency: number; hooks: Hooks }>,
) {
  const connection = { path: url, maxRetriesPerRequest: null };
  const queue = new Queue(name, { connection });
  const worker = new Worker(name, async () => hooks.start(), {
    connection,
    concurrency,
    maxStalledCount: 0,
    drainDelay: 1,
    metrics: { maxDataPoints: MetricsTime.TWO_WEEKS },
  });
  worker.on('completed', () => hooks.end());
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  return {
    queue,
    async close() {
      await worker.close();
      await queue.close();
    },
  };
}

type Hooks = ReturnType<typeof createHooks>;

function createHooks() {
  let start: () => void = () => undefined;
  let end: () => void = () => undefined;
  return {
    start: () => start(),
    end: () => end(),
    of: {
      onStart(callback: () => void): void {
        start = callback;
      },
      onEnd(callback: () => void): void {
        end = callback;
      },
    },
  };
}

function freshName(): string {
  contests += 1;
  return `contest-${contests}`;
}
