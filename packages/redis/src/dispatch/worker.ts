import {
  type Clock,
  type CommitAnswer,
  type ExecutionHooks,
  ExecutionId,
  type Executor,
  type FileTouch,
  type Isolation,
  Json,
  type Lease,
  type Logger,
  type NodeId,
  SandboxError,
  UnavailableError,
} from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import { createOutputStream } from '../events/output-stream.ts';
import { createOutputWriter } from '../events/output-writer.ts';
import type { RedisNodes } from '../nodes.ts';
import { reaped } from '../scheduler/scheduler-scripts.ts';
import { checkConfinement } from './check-confinement.ts';
import { type ExecutionOrder, type ExecutionReport, reportOf } from './execution-order.ts';
import * as scripts from './execution-scripts.ts';
import { isolationKey } from './isolation-key.ts';
import type { DispatchMessage } from './message.ts';
import { createDispatchChannel } from './dispatch-channel.ts';
import type { QueueTraces } from './queue-traces.ts';
import { createReaper } from './reaper.ts';
import { createRunTaker } from './run-queue.ts';
import { watchLease } from './watch-lease.ts';
import type { PresenceProbe } from './presence-probe.ts';

export type WorkerOptions = {
  readonly connection: RedisConnection;
  readonly url: string;
  readonly members: Pick<
    RedisNodes,
    'self' | 'living' | 'isCurrent' | 'onChange' | 'onDead' | 'onEnded' | 'onReturned' | 'takeNoMore'
  >;
  readonly facts: { set(key: string, value: Json): Promise<void> };
  /** Sorted. */
  readonly labels: readonly string[];
  readonly concurrency: number;
  readonly queueTraces?: QueueTraces | undefined;
  readonly leaseTtlMs: number;
  /** Checks other processes on this machine. */
  readonly presenceProbe: PresenceProbe;
  /** Creates the executor for a coordinator's sandbox settings. */
  readonly executorFor: (setup: Json) => Executor;
  /**
   * Paths that programs must not read, in addition to the built-in ones. Returns the same function for the same
   * patterns.
   */
  readonly denialOf: (patterns: readonly string[]) => (path: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type RedisWorker = {
  /** Takes no more executions, and resolves when none runs. */
  drain(): Promise<void>;
  /** Stops all running executions. */
  stopAll(): void;
  running(): number;
};

/** Retry interval for an end that Redis could not store. */
const AGAIN_AFTER_MS = 250;
/** An unanswered commit request is repeated after this time; the answer is the same. */
const ASK_AGAIN_MS = 5000;
const KEPT_IDS = 10_000;
/** The supervisor kills a program at most this long before its lease ends. */
const ENDING_MS = 2000;

type Running = {
  readonly owner: NodeId;
  readonly stop: () => void;
  readonly kill: () => void;
  answer: ((answer: CommitAnswer) => void) | undefined;
};

/**
 * Executes what coordinators offer to workers with its labels: begins each at most once, asks its coordinator before
 * changes are committed, kills it when its lease ends, and reports once how it ended.
 */
export async function startWorker(options: WorkerOptions): Promise<RedisWorker> {
  const { connection, members, clock, logger } = options;
  const { self } = members;
  /** All ids taken: nothing is begun twice, whatever the queue delivers. */
  const seen = new Set<ExecutionId>();
  /** Told to stop before they had started. */
  const stopped = new Set<ExecutionId>();
  const running = new Map<ExecutionId, Running>();
  const channel = createDispatchChannel({ connection, self, logger });
  await channel.open(receive);
  members.onChange(() => void stopForDeadOwners());
  members.onDead(() => void stopForDeadOwners());
  members.onReturned(stopAll);
  const reaper = createReaper(options);
  const taker = createRunTaker({ ...options, prefix: connection.prefix }, { ...options, run: runJob });

  function receive(message: DispatchMessage): void {
    // This worker may have been taken for dead since: others may hold what the permission covers.
    if (!members.isCurrent()) stopAll();
    const own = running.get(message.execution);
    if (message.kind === 'commit-answer') own?.answer?.(message.answer);
    if (message.kind === 'kill') own?.kill();
    if (message.kind !== 'stop') return;
    if (own !== undefined) return own.stop();
    stopped.add(message.execution);
    for (const oldest of stopped) if (stopped.size > KEPT_IDS) stopped.delete(oldest);
  }

  /** A worker that was frozen or disconnected long enough to be taken for dead must stop everything. */
  function stopAll(): void {
    for (const { stop } of running.values()) stop();
  }

  /** No process is left to renew their leases, answer them or take their results. */
  async function stopForDeadOwners(): Promise<void> {
    try {
      const living = new Set((await members.living()).map(({ id }) => id));
      for (const { owner, stop, kill } of running.values()) {
        if (living.has(owner)) continue;
        stop();
        kill();
      }
    } catch (error) {
      logger.warn({ error }, 'coordinators not checked; leases end by themselves');
    }
  }

  async function runJob(jobId: string): Promise<void> {
    const id = ExecutionId.parse(jobId);
    if (seen.has(id)) return;
    seen.add(id);
    for (const oldest of seen) if (seen.size > KEPT_IDS) seen.delete(oldest);
    const begun = await untilAnswered(() => connection.run(scripts.begin, { id, worker: self }));
    if (begun[0] === 'gone') return;
    const [, owner, order] = begun;
    const report = await run(id, owner, order).catch(reportOf);
    await reportEnd(id, report);
    const isStopped = report.kind === 'execution' && report.execution.ended.kind === 'stopped';
    if (order.lease !== null && isStopped) await reportReaped(order.lease, owner);
  }

  /** The lease's holder may be dead or frozen: report early, so that others need not wait for the lease to end. */
  async function reportReaped(lease: Lease, owner: NodeId): Promise<void> {
    const tell = () =>
      untilAnswered(() => connection.run(reaped, { lease, owner, leaseTtlMs: options.leaseTtlMs }));
    const [reply, leftMs = 0] = await tell();
    // A living lease will be released by its holder. One about to end was not renewed, and we stopped before.
    if (reply !== 'held' || leftMs > ENDING_MS) return;
    await new Promise<void>((resolve) => clock.timer(leftMs, resolve));
    await tell();
  }

  /** Retries until it is stored or no longer wanted: its coordinator waits for it. */
  async function reportEnd(id: ExecutionId, report: ExecutionReport): Promise<void> {
    await untilAnswered(() => connection.run(scripts.end, { id, worker: self, report }));
  }

  /** Only for scripts that are safe to repeat. */
  async function untilAnswered<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        await new Promise<void>((resolve) => clock.timer(AGAIN_AFTER_MS, resolve));
      }
    }
  }

  /** Repeated: the question or the answer may be lost if Redis loses its data. */
  async function askToCommit(
    owner: NodeId,
    question: DispatchMessage,
    answer: Promise<CommitAnswer>,
  ): Promise<CommitAnswer> {
    for (;;) {
      const isThere = await untilAnswered(() => channel.send(owner, question));
      if (!isThere) return { kind: 'denied', why: [`its coordinator ${owner} is dead`] };
      const pause = Promise.withResolvers<null>();
      const cancel = clock.timer(ASK_AGAIN_MS, () => pause.resolve(null));
      const answered = await Promise.race([answer, pause.promise]);
      cancel();
      if (answered !== null) return answered;
    }
  }

  async function run(id: ExecutionId, owner: NodeId, order: ExecutionOrder): Promise<ExecutionReport> {
    const askedAt = clock.monotonic();
    const leftMs = order.lease === null ? null : await connection.run(scripts.leaseLeft, order.lease);
    if (leftMs === 0) throw new SandboxError('Cannot run this: its lease has expired', { isOfCommand: true });
    const executor = options.executorFor(order.setup);
    checkConfinement(await executor.isolation(), order.needs);
    const controller = new AbortController();
    const killer = new AbortController();
    const stop = (): void => controller.abort();
    const kill = (): void => killer.abort();
    const watched =
      order.lease === null || leftMs === null
        ? undefined
        : watchLease({
            ...options,
            lease: order.lease,
            ttlMs: options.leaseTtlMs,
            first: { leftMs, askedAt },
            onLost: stop,
          });
    const own: Running = { owner, stop, kill, answer: undefined };
    running.set(id, own);
    if (stopped.delete(id)) stop();
    const output = createOutputWriter({ ...options, output: createOutputStream({ connection, name: id }) });
    const tell = (message: DispatchMessage): void => {
      channel.send(owner, message).catch((error: unknown) => logger.warn({ id, error }, 'message not sent'));
    };
    /** The program is dead by now and its lease may have been exchanged: only the coordinator can decide. */
    async function mayCommit(
      changes: readonly FileTouch[],
      removedFolders: readonly string[] = [],
    ): Promise<CommitAnswer> {
      watched?.stop();
      const { promise, resolve } = Promise.withResolvers<CommitAnswer>();
      own.answer = resolve;
      // An aborted commit writes nothing, whatever the answer.
      controller.signal.addEventListener('abort', () => resolve({ kind: 'ok' }), { once: true });
      if (controller.signal.aborted) resolve({ kind: 'ok' });
      const question: DispatchMessage = {
        kind: 'may-commit',
        execution: id,
        worker: self,
        changes: [...changes],
        removedFolders: [...removedFolders],
      };
      return Promise.race([promise, askToCommit(owner, question, promise)]);
    }
    const hooks: ExecutionHooks = {
      signal: controller.signal,
      kill: killer.signal,
      onOutput: output.push,
      onStart: (pid) => tell({ kind: 'started', execution: id, pid }),
      onConnection: (use) => tell({ kind: 'connection', execution: id, use }),
      ...(order.deniedPatterns.length === 0 ? {} : { isDenied: options.denialOf(order.deniedPatterns) }),
      ...(watched === undefined ? {} : { lease: watched.term }),
      ...(order.asksBeforeCommit ? { mayCommit } : {}),
    };
    try {
      const execution = await executor.execute(order.request as Parameters<Executor['execute']>[0], hooks);
      return { kind: 'execution', execution };
    } finally {
      running.delete(id);
      watched?.stop();
      await output.end();
    }
  }

  return {
    async drain() {
      // Executions delivered here and not begun go to other workers.
      await members.takeNoMore();
      await taker.drain();
      reaper.stop();
    },
    stopAll,
    running: () => running.size,
  };
}

/** Publishes how this worker confines commands. */
export async function tellIsolation(
  { facts, self }: { readonly facts: WorkerOptions['facts']; readonly self: NodeId },
  isolation: Isolation,
): Promise<void> {
  await facts.set(isolationKey(self), Json.parse(JSON.parse(JSON.stringify(isolation))));
}
