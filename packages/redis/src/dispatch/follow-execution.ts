import {
  type CommandId,
  type CommitAnswer,
  type Execution,
  type ExecutionHooks,
  type ExecutionId,
  LeaseLostError,
  type NodeRecord,
  type NodeId,
  UnavailableError,
} from '@signalbox/core';
import { createOutputStream } from '../events/output-stream.ts';
import { executionOf, type ExecutionReport } from './execution-order.ts';
import * as scripts from './execution-scripts.ts';
import { fittingWorkers } from './fitting-workers.ts';
import type { DispatchMessage, MessageOf } from './message.ts';
import type { RemoteExecutorOptions } from './remote-executor-options.ts';
import { POLL_AGAIN_MS } from './presence-probe.ts';

const AGAIN_AFTER_MS = 250;

/** One execution, followed by its coordinator. */
export type FollowedExecution = {
  /** Null if no worker has begun it or will: it was stopped, or no worker with its labels is left. */
  readonly ended: Promise<Execution | null>;
  receive(message: DispatchMessage): void;
  /** Call once the execution is offered: before that, Redis does not know it. */
  start(): void;
  /** Queues its id for a worker again, in case it was lost. It is begun at most once. */
  bring(): void;
  /** Call when the living members have changed. */
  poll(living: readonly NodeRecord[]): void;
  /** Call when it is over: cleans up. */
  stop(): void;
};

/** Follows one execution from its offer to its single end, whatever happens to its worker. */
export function followExecution(
  options: RemoteExecutorOptions,
  of: {
    readonly id: ExecutionId;
    readonly commandId: CommandId;
    /** Labels of the workers it is offered to. */
    readonly labels: readonly string[];
    readonly hooks: ExecutionHooks;
    readonly checkNodes: () => Promise<void>;
  },
): FollowedExecution {
  const { connection, queues, clock, logger } = options;
  const { id, labels, hooks } = of;
  const { promise, resolve, reject } = Promise.withResolvers<Execution | null>();
  // Avoids an unhandled rejection: it may fail before it is awaited, if the last worker leaves during the offer.
  promise.catch(() => undefined);
  const output = followOutput({ ...options, id, onOutput: hooks.onOutput });
  let worker: NodeId | undefined;
  /** That worker as last seen alive. */
  let seen: NodeRecord | undefined;
  let isDead = false;
  let isOver = false;
  let hasStarted = false;
  let cancelQuarantine: () => void = () => undefined;
  let asked: Promise<CommitAnswer> | undefined;
  let stopped = false;
  let isOffered = false;
  /** Members seen alive before the offer. */
  let seenEarly: readonly NodeRecord[] | null = null;

  /** @param onNotBegun called if no worker will begin it */
  async function settle(how: 'withdraw' | 'over', onNotBegun: () => void): Promise<void> {
    const reply = await connection.run(scripts.settle, { id, how });
    switch (reply[0]) {
      case 'begun':
        return isBegunBy(reply[1]);
      case 'ended':
        await output.drained();
        return settleWith(reply[1]);
      case 'unbegun':
        await queues.remove(labels, id).catch((error: unknown) => {
          logger.debug({ id, error }, 'job not removed; a worker that takes it finds nothing to begin');
        });
        return onNotBegun();
      case 'lost':
      case 'gone':
        // It can't end any more, but its last commit may have been interrupted.
        await options.takeBackFiles();
        return endWithoutResult();
    }
  }

  /** An error thrown by the worker is the result, even if Redis was unreachable there: nothing is asked again. */
  function settleWith(report: ExecutionReport): void {
    try {
      resolve(executionOf(report));
    } catch (error) {
      reject(toError(error));
    }
  }

  /** The worker may have died, or the call may have been cancelled in the meantime. */
  async function isBegunBy(by: NodeId): Promise<void> {
    worker = by;
    if (hooks.signal.aborted) await options.channel.send(by, { kind: 'stop', execution: id });
    if (hooks.kill?.aborted === true) await options.channel.send(by, { kind: 'kill', execution: id });
    void of.checkNodes();
  }

  function endWithoutResult(): void {
    const why = [worker === undefined ? 'Redis has forgotten it' : `worker ${worker}, which ran it, is gone`];
    reject(new LeaseLostError(`Cannot tell how ${id} ended`, { why }));
  }

  function withdraw(): void {
    attempt(() => settle('withdraw', () => resolve(null)));
  }

  /** Retries while Redis is unreachable; the lease has its own deadline meanwhile. */
  function attempt(task: () => Promise<void>): void {
    task().catch((error: unknown) => {
      if (!(error instanceof UnavailableError)) reject(toError(error));
      else if (!stopped) clock.timer(AGAIN_AFTER_MS, () => attempt(task));
    });
  }

  async function answerCommit({ changes, removedFolders }: MessageOf<'may-commit'>): Promise<void> {
    // A worker that was given up gets no permission to commit, even if it is still alive.
    if (worker === undefined || isOver) return;
    // Decided once, however often the question arrives; answered every time, since a reply may have been lost.
    asked ??= hooks.mayCommit?.(changes, removedFolders) ?? Promise.resolve({ kind: 'ok' });
    const answer = await asked;
    const reported = answer.kind === 'ok' ? answer : { kind: answer.kind, why: [...answer.why] };
    await options.channel.send(worker, { kind: 'commit-answer', execution: id, answer: reported });
  }

  /**
   * After one time to live, everything the worker ran has reached its deadline; earlier if it is seen that none of it
   * is left.
   */
  function quarantine(deadWorker: NodeRecord | undefined): void {
    if (isDead) return;
    isDead = true;
    logger.warn({ id, worker }, 'worker died; its claims are held until nothing of it can live');
    const over = (): void => {
      isOver = true;
      attempt(() => settle('over', endWithoutResult));
    };
    const cancelOver = clock.timer(options.leaseTtlMs, over);
    let cancelPoll = clock.timer(POLL_AGAIN_MS, pollLater);
    cancelQuarantine = () => {
      cancelOver();
      cancelPoll();
    };

    function pollLater(): void {
      cancelPoll = clock.timer(POLL_AGAIN_MS, pollLater);
      if (deadWorker !== undefined) attempt(() => checkFrozen(deadWorker));
    }

    async function checkFrozen(frozen: NodeRecord): Promise<void> {
      if (await isSeenGone(frozen)) over();
    }
  }

  /**
   * Whether a worker taken for dead can do nothing more for this execution, even if it wakes up: its program has
   * started and ended, and it has no permission to commit. Once this is over it gets none.
   */
  async function isSeenGone(deadWorker: NodeRecord): Promise<boolean> {
    if (!hasStarted || asked !== undefined || !(await options.presenceProbe.sees(deadWorker))) return false;
    return options.presenceProbe.isGone(of.commandId) && asked === undefined;
  }

  function start(): void {
    isOffered = true;
    hooks.signal.addEventListener('abort', withdraw, { once: true });
    hooks.kill?.addEventListener('abort', withdraw, { once: true });
    if (hooks.signal.aborted) return withdraw();
    if (seenEarly !== null) poll(seenEarly);
    bring();
  }

  function receive(message: DispatchMessage): void {
    switch (message.kind) {
      case 'begun':
        return attempt(() => isBegunBy(message.worker));
      case 'started':
        if (!hasStarted) hooks.onStart?.(message.pid);
        hasStarted = true;
        return;
      case 'connection':
        return hooks.onConnection?.(message.use);
      case 'may-commit':
        return attempt(() => answerCommit(message));
      case 'ended':
      case 'reaped':
        return attempt(() => settle('over', endWithoutResult));
      case 'stop':
      case 'kill':
      case 'commit-answer':
        return undefined;
    }
  }

  function poll(living: readonly NodeRecord[]): void {
    if (!isOffered) return void (seenEarly = living);
    if (worker !== undefined) {
      const known = living.find((member) => member.id === worker);
      if (known === undefined) quarantine(seen);
      else seen = known;
      return;
    }
    const offers = fittingWorkers(living, labels).map((one) => one.labels.join('+'));
    if (hooks.signal.aborted || !offers.includes(labels.join('+'))) withdraw();
  }

  function bring(): void {
    if (!isOffered || stopped || worker !== undefined) return;
    queues.add(labels, id, { of: of.commandId }).catch((error: unknown) => {
      if (error instanceof UnavailableError && error.code === 'redis-gone')
        clock.timer(AGAIN_AFTER_MS, bring);
      else attempt(() => settle('withdraw', () => reject(toError(error))));
    });
  }

  /** Retries until Redis has answered: a forgotten execution can't be begun. */
  function forget(): void {
    connection.run(scripts.forget, { id, owner: options.members.self }).catch((error: unknown) => {
      if (error instanceof UnavailableError) clock.timer(AGAIN_AFTER_MS, forget);
      else logger.warn({ id, error }, 'execution not forgotten; it will expire');
    });
  }

  return {
    ended: promise,
    receive,
    start,
    bring,
    poll,
    stop() {
      stopped = true;
      forget();
      cancelQuarantine();
      hooks.signal.removeEventListener('abort', withdraw);
      hooks.kill?.removeEventListener('abort', withdraw);
      output.stop();
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function followOutput({
  connection,
  logger,
  id,
  onOutput,
}: Pick<RemoteExecutorOptions, 'connection' | 'logger'> & {
  readonly id: ExecutionId;
  readonly onOutput: ExecutionHooks['onOutput'];
}): { readonly drained: () => Promise<void>; readonly stop: () => void } {
  const stream = createOutputStream({ connection, name: id });
  let position = 0;
  let reading: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    for (let chunks = 1; chunks > 0;) {
      const page = await stream.read(position);
      position = page.position;
      chunks = page.chunks.length;
      for (const { stream: of, text } of page.chunks) onOutput(of, text);
    }
  };
  const poll = (): Promise<void> =>
    (reading = reading.then(read).catch((error: unknown) => {
      logger.warn({ id, error }, 'live output not read; the next poll retries');
    }));
  const following = stream.follow(() => void poll());
  following.catch((error: unknown) => logger.warn({ id, error }, 'live output not followed'));
  return {
    drained: poll,
    stop() {
      void following.then((unfollow) => unfollow()).catch(() => undefined);
      stream
        .drop()
        .catch((error: unknown) => logger.debug({ id, error }, 'live output not dropped; it will expire'));
    },
  };
}
