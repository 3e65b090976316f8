import {
  type CommandId,
  type CommitAnswer,
  type Execution,
  type ExecutionHooks,
  type ExecutionId,
  LeaseLostError,
  type Member,
  type MemberId,
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

/** One execution, as its coordinator follows it. */
export type FollowedExecution = {
  /** Null when nobody has begun it, and nobody will: it was stopped, or no worker of its labels is left. */
  readonly ended: Promise<Execution | null>;
  receive(message: DispatchMessage): void;
  /** It is offered: before, nothing can be asked of it. */
  start(): void;
  /** Has its id brought to a worker, as often as it may have got lost: it is begun once all the same. */
  bring(): void;
  /** Who is there has changed. */
  poll(living: readonly Member[]): void;
  /** It is over: nothing of it stays. */
  stop(): void;
};

/** Follows one execution from its offer to its one end, whatever becomes of its worker. */
export function followExecution(
  options: RemoteExecutorOptions,
  of: {
    readonly id: ExecutionId;
    readonly commandId: CommandId;
    /** Of the workers that it is offered to. */
    readonly labels: readonly string[];
    readonly hooks: ExecutionHooks;
    readonly checkMembers: () => Promise<void>;
  },
): FollowedExecution {
  const { connection, queues, clock, logger } = options;
  const { id, labels, hooks } = of;
  const { promise, resolve, reject } = Promise.withResolvers<Execution | null>();
  // It may fail before anybody waits for it, when the last worker goes while it is being offered.
  promise.catch(() => undefined);
  const output = followOutput({ ...options, id, onOutput: hooks.onOutput });
  let worker: MemberId | undefined;
  /** That worker, as it was last seen to be there. */
  let seen: Member | undefined;
  let isDead = false;
  let isOver = false;
  let hasStarted = false;
  let cancelQuarantine: () => void = () => undefined;
  let asked: Promise<CommitAnswer> | undefined;
  let stopped = false;
  let isOffered = false;
  /** Who was seen to be there before it was offered. */
  let seenEarly: readonly Member[] | null = null;

  /** @param unbegun what it ends with where nobody begins it any more */
  async function settle(how: 'withdraw' | 'over', unbegun: () => void): Promise<void> {
    const reply = await connection.run(scripts.settle, { id, how });
    switch (reply[0]) {
      case 'begun':
        return isBegunBy(reply[1]);
      case 'ended':
        await output.drained();
        return settleWith(reply[1]);
      case 'unbegun':
        await queues.remove(labels, id).catch((error: unknown) => {
          logger.debug({ id, error }, 'job not taken out; who takes it finds nothing to begin');
        });
        return unbegun();
      case 'lost':
      case 'gone':
        // It can't end any more, but may have come to its end in its last moment.
        await options.takeBackFiles();
        return endWithoutResult();
    }
  }

  /** What the worker threw is how it ended, also where Redis was away there: nothing is asked again. */
  function settleWith(report: ExecutionReport): void {
    try {
      resolve(executionOf(report));
    } catch (error) {
      reject(toError(error));
    }
  }

  /** It may be dead by now, and nobody may want it to go on any more. */
  async function isBegunBy(by: MemberId): Promise<void> {
    worker = by;
    if (hooks.signal.aborted) await options.post.send(by, { kind: 'stop', execution: id });
    if (hooks.kill?.aborted === true) await options.post.send(by, { kind: 'kill', execution: id });
    void of.checkMembers();
  }

  function endWithoutResult(): void {
    const why = [worker === undefined ? 'Redis has forgotten it' : `worker ${worker}, which ran it, is gone`];
    reject(new LeaseLostError(`Cannot tell how ${id} ended`, { why }));
  }

  function withdraw(): void {
    attempt(() => settle('withdraw', () => resolve(null)));
  }

  /** Tries until it is done, should Redis be away now: the lease ends by its own deadline meanwhile. */
  function attempt(task: () => Promise<void>): void {
    task().catch((error: unknown) => {
      if (!(error instanceof UnavailableError)) reject(toError(error));
      else if (!stopped) clock.timer(AGAIN_AFTER_MS, () => attempt(task));
    });
  }

  async function answerCommit({ changes, removedFolders }: MessageOf<'may-commit'>): Promise<void> {
    // Who is given up gets no leave, should it be there after all.
    if (worker === undefined || isOver) return;
    // Asked once, however often it is heard; told as often, since the first answer may not have come through.
    asked ??= hooks.mayCommit?.(changes, removedFolders) ?? Promise.resolve({ kind: 'ok' });
    const answer = await asked;
    const reported = answer.kind === 'ok' ? answer : { kind: answer.kind, why: [...answer.why] };
    await options.post.send(worker, { kind: 'commit-answer', execution: id, answer: reported });
  }

  /** Whatever it ran has come to its deadline by then; before, where somebody sees that nothing of it lives. */
  function quarantine(by: Member | undefined): void {
    if (isDead) return;
    isDead = true;
    logger.warn({ id, worker }, 'worker died; its claims are held until nothing of it can live');
    const over = (): void => {
      isOver = true;
      attempt(() => settle('over', endWithoutResult));
    };
    const cancelOver = clock.timer(options.leaseTtlMs, over);
    let cancelLook = clock.timer(POLL_AGAIN_MS, lookForIt);
    cancelQuarantine = () => {
      cancelOver();
      cancelLook();
    };

    function lookForIt(): void {
      cancelLook = clock.timer(POLL_AGAIN_MS, lookForIt);
      if (by !== undefined) attempt(() => lookAt(by));
    }

    async function lookAt(frozen: Member): Promise<void> {
      if (await isSeenGone(frozen)) over();
    }
  }

  /**
   * Whether a worker that was taken for dead can do no more for this, although it may wake up: its program has run and
   * ended, and it was given no leave to put files; once this is over it is given none.
   */
  async function isSeenGone(by: Member): Promise<boolean> {
    if (!hasStarted || asked !== undefined || !(await options.presenceProbe.sees(by))) return false;
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

  function poll(living: readonly Member[]): void {
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
    queues.add(labels, id, of.commandId).catch((error: unknown) => {
      if (error instanceof UnavailableError && error.code === 'redis-gone')
        clock.timer(AGAIN_AFTER_MS, bring);
      else attempt(() => settle('withdraw', () => reject(toError(error))));
    });
  }

  /** Until Redis has answered: what is forgotten can't be begun. */
  function forget(): void {
    connection.run(scripts.forget, { id, owner: options.members.self }).catch((error: unknown) => {
      if (error instanceof UnavailableError) clock.timer(AGAIN_AFTER_MS, forget);
      else logger.warn({ id, error }, 'execution not forgotten; it goes by itself');
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
      logger.warn({ id, error }, 'live output not read; the next look tries again');
    }));
  const following = stream.follow(() => void poll());
  following.catch((error: unknown) => logger.warn({ id, error }, 'live output not followed'));
  return {
    drained: poll,
    stop() {
      void following.then((unfollow) => unfollow()).catch(() => undefined);
      stream.drop().catch((error: unknown) => logger.debug({ id, error }, 'live output goes by itself'));
    },
  };
}
