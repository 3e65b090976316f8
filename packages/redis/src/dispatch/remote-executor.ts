import {
  createId,
  notStarted,
  type Execution,
  type ExecutionHooks,
  type ExecutionId,
  type ExecutionRequest,
  type Executor,
  Isolation,
  SandboxError,
} from '@signalbox/core';
import type { ExecutionOrder } from './execution-order.ts';
import * as scripts from './execution-scripts.ts';
import { fittingWorkers, noWorker, WORKER_WITHIN_MS } from './fitting-workers.ts';
import { followExecution, type FollowedExecution } from './follow-execution.ts';
import { isolationKey } from './isolation-key.ts';
import type { DispatchMessage, MessageOf } from './message.ts';
import type { RemoteExecutorOptions } from './remote-executor-options.ts';

export type RemoteExecutor = Executor & {
  /** Whether a living worker has all of these labels. */
  hasWorker(labels: readonly string[]): Promise<boolean>;
  /** Call for each message to this member about an execution. */
  receive(message: DispatchMessage): void;
};

/** How long a request is kept at most, beyond the program's own time limit. */
const KEEP_MS = 3_600_000;

/**
 * An executor that runs commands on workers: it offers each to those with its labels, forwards their output and returns
 * the single result.
 *
 * If a worker dies, its command ends as `lost`, but not before its lease has ended: its claims are held until then.
 */
export function createRemoteExecutor(options: RemoteExecutorOptions): RemoteExecutor {
  const { connection, members, clock, random, logger } = options;
  const followed = new Map<ExecutionId, FollowedExecution>();

  async function checkNodes(): Promise<void> {
    if (followed.size === 0) return;
    try {
      const living = await members.living();
      for (const one of followed.values()) one.poll(living);
    } catch (error) {
      logger.warn({ error }, 'workers not read; the next change retries');
    }
  }
  members.onChange(() => void checkNodes());
  members.onDead(() => void checkNodes());
  connection.presence.onChange(() => {
    // The worker may have forgotten its last message.
    if (connection.presence.away() === null) for (const one of followed.values()) one.bring();
  });

  /** Of the workers with all wanted labels, picks the label set with the most free slots. */
  async function chooseLabels(wanted: readonly string[]): Promise<readonly string[] | null> {
    const fitting = fittingWorkers(await members.living(), wanted);
    const room = new Map<string, { labels: readonly string[]; concurrency: number }>();
    for (const { labels, concurrency } of fitting) {
      const known = room.get(labels.join('+'))?.concurrency ?? 0;
      room.set(labels.join('+'), { labels, concurrency: known + concurrency });
    }
    const [roomiest] = [...room.values()].toSorted((a, b) => b.concurrency - a.concurrency);
    return roomiest?.labels ?? null;
  }

  /** @throws {UnavailableError} `no-worker` */
  async function waitForLabels(
    wanted: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[] | null> {
    const until = clock.monotonic() + WORKER_WITHIN_MS;
    for (;;) {
      // Subscribed before the members are read: one that enters in between is not in the reply.
      const change = nextChange(until - clock.monotonic(), signal);
      try {
        const labels = await chooseLabels(wanted);
        if (labels !== null || signal.aborted) return labels;
        if (clock.monotonic() >= until) throw noWorker(wanted);
        await change.changed;
      } finally {
        change.stop();
      }
    }
  }

  /** Resolves when a member came or left, the time is over, or the signal aborts. */
  function nextChange(
    withinMs: number,
    signal: AbortSignal,
  ): { readonly changed: Promise<void>; readonly stop: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const receive = (): void => resolve();
    const stopListening = members.onChange(receive);
    const cancelTimer = clock.timer(Math.max(0, withinMs), receive);
    signal.addEventListener('abort', receive);
    return {
      changed: promise,
      stop() {
        stopListening();
        cancelTimer();
        signal.removeEventListener('abort', receive);
      },
    };
  }

  async function execute(request: ExecutionRequest, hooks: ExecutionHooks): Promise<Execution> {
    for (;;) {
      const labels = await waitForLabels(hooks.labels ?? [], hooks.signal);
      const execution = labels === null || hooks.signal.aborted ? null : await offer(request, labels, hooks);
      if (execution !== null) return execution;
      if (hooks.signal.aborted) return notStarted(clock.now(), await isolation());
    }
  }

  /** Resolves with null if no worker began it. */
  async function offer(
    request: ExecutionRequest,
    labels: readonly string[],
    hooks: ExecutionHooks,
  ): Promise<Execution | null> {
    const { commandId } = request;
    const id = createId('execution', random);
    const order = orderOf(request, hooks);
    const keepMs = request.limits.timeoutMs + KEEP_MS;
    const following = followExecution(options, { id, commandId, labels, hooks, checkNodes });
    followed.set(id, following);
    try {
      await connection.run(scripts.offer, { id, owner: members.self, order, keepMs });
      following.start();
      return await following.ended;
    } finally {
      followed.delete(id);
      following.stop();
    }
  }

  function orderOf(request: ExecutionRequest, hooks: ExecutionHooks): ExecutionOrder {
    if (hooks.isDenied !== undefined && hooks.deniedPatterns === undefined)
      throw new SandboxError(
        'Cannot run this on a worker: the paths it must not read are not known as patterns',
        {
          isOfCommand: true,
        },
      );
    return {
      // Dropping undefined fields through JSON. Programs are found by the worker's own environment.
      request: JSON.parse(JSON.stringify({ ...request, clientEnv: undefined })) as ExecutionOrder['request'],
      lease: hooks.lease?.current?.() ?? null,
      deniedPatterns: [...(hooks.deniedPatterns ?? [])],
      asksBeforeCommit: hooks.mayCommit !== undefined,
      needs: options.needs(),
      setup: options.setup(),
    };
  }

  async function isolation(): Promise<Isolation> {
    const workers = (await members.living()).filter(({ kind }) => kind === 'worker');
    for (const { id } of workers) {
      const reported = Isolation.safeParse(await options.facts.get(isolationKey(id)));
      if (reported.success) return reported.data;
    }
    throw noWorker([]);
  }

  /** This process does not know the execution, for example because Redis forgot it: it must not commit. */
  function stopUnknown({ worker, execution }: MessageOf<'may-commit'>): void {
    options.channel.send(worker, { kind: 'stop', execution }).catch((error: unknown) => {
      logger.warn({ execution, worker, error }, 'unknown execution not stopped; it asks again');
    });
  }

  return {
    execute,
    isolation,
    hasWorker: async (labels) => fittingWorkers(await members.living(), labels).length > 0,
    receive(message) {
      const following = followed.get(message.execution);
      if (following !== undefined) following.receive(message);
      else if (message.kind === 'may-commit') stopUnknown(message);
    },
  };
}
