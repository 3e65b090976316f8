import {
  type Clock,
  type CommandRecord,
  type CommitAnswer,
  type ExecutionLimits,
  type Executor,
  type Files,
  isTransient,
  type Lease,
  LeaseLostError,
  type Logger,
  type Outcome,
  type Readings,
  type Scheduler,
  SignalboxError,
  type Tool,
  type ToolAnswer,
  ToolFailure,
} from '@signalbox/core';
import { fencedFiles } from '../fenced-files.ts';
import type { LiveOutput } from '../live-output.ts';
import { type Interruption, outcomeOfAnswer, outcomeOfError, outcomeOfInterruption } from './outcome-of.ts';

export type Ran = { readonly outcome: Outcome; readonly answer: ToolAnswer | undefined };

export type RunningCall = {
  /** Settles when the handler has answered and its processes are dead; never rejects. */
  readonly ended: Promise<Ran>;
  /** Stops the process; `ended` follows when it is dead. The first reason counts. */
  interrupt(interruption: Interruption): void;
};

export type ExecuteOptions = {
  readonly record: CommandRecord;
  readonly tool: Tool;
  readonly lease: Lease;
  readonly files: Files;
  readonly executor: Executor;
  readonly scheduler: Scheduler;
  readonly readings: Readings;
  readonly lines: { readonly tests: string | null; readonly lint: string | null };
  readonly limits: ExecutionLimits;
  /** Of the workspace's settings; a call's own come after. */
  readonly env: Readonly<Record<string, string>>;
  readonly network: 'off' | 'on';
  readonly retry: { readonly attempts: number; readonly waitMs: number };
  readonly output: LiveOutput;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Longer than an executor takes from TERM to KILL. */
const GIVE_UP_AFTER_MS = 10_000;

/**
 * Hands a call to its tool, under its lease: renews the lease at a third of its life while the tool works,
 * stops the tool when the lease can't be renewed, when its time is over or when somebody cancels.
 *
 * A transient failure of a tool that is declared retryable is tried once more (H6, X-17); a tool that starts
 * programs or writes never is.
 *
 * A handler that ignores the stop is given up after 10 s, when every program that it started is dead: it can
 * start no other, and its lease, which ends with the command, lets it change no file.
 */
export function executeCall(options: ExecuteOptions): RunningCall {
  const { tool, lease, scheduler, clock, logger, limits, output } = options;
  const controller = new AbortController();
  const programs = new Set<Promise<unknown>>();
  const givenUp = Promise.withResolvers<Ran>();
  let interruption: Interruption | undefined;
  let cancelGrace: () => void = () => undefined;

  function interrupt(why: Interruption): void {
    if (controller.signal.aborted) return;
    interruption = why;
    controller.abort();
    cancelGrace = clock.timer(GIVE_UP_AFTER_MS, () => void giveUp(why));
  }

  async function giveUp(why: Interruption): Promise<void> {
    await Promise.allSettled(programs);
    logger.error({ commandId: options.record.id, tool: tool.name }, 'tool handler ignored the stop');
    givenUp.resolve({ outcome: outcomeOfInterruption(why), answer: undefined });
  }

  async function attempt(): Promise<Ran> {
    try {
      const answer = await tool.handle(options.record.call.args, contextOf());
      return { outcome: outcomeOfAnswer(answer.execution, interruption), answer };
    } catch (error) {
      if (!(error instanceof SignalboxError)) {
        logger.error({ commandId: options.record.id, tool: tool.name, error }, 'tool handler failed');
      }
      return { outcome: outcomeOfError(error, interruption), answer: undefined };
    }
  }

  async function attempts(): Promise<Ran> {
    for (let tries = 1; ; tries++) {
      const ran = await attempt();
      const again =
        tool.retryable &&
        tries < options.retry.attempts &&
        interruption === undefined &&
        ran.outcome.kind === 'failed' &&
        isTransient(ran.outcome.failure.category);
      if (!again) return ran;
      await pause(options.retry.waitMs);
      if (interruption !== undefined)
        return { outcome: outcomeOfInterruption(interruption), answer: undefined };
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.timer(ms, resolve);
      controller.signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  }

  /** A command that lost its lease puts none of its files, however late it comes. */
  async function mayCommit(): Promise<CommitAnswer> {
    if (await scheduler.isCurrent(lease)) return { kind: 'ok' };
    interrupt({ kind: 'lease-lost' });
    return { kind: 'denied', why: [`lease ${lease.leaseId} (fencing token ${lease.fencingToken}) is gone`] };
  }

  function contextOf(): Parameters<Tool['handle']>[1] {
    const { record } = options;
    return {
      commandId: record.id,
      sessionId: record.context.sessionId,
      provider: record.context.provider,
      files: fencedFiles(options.files, scheduler, lease),
      readings: options.readings,
      clock,
      signal: controller.signal,
      lines: options.lines,
      async run(program, runOptions = {}) {
        if (controller.signal.aborted) throw stopped();
        const process = options.executor.execute(
          {
            commandId: record.id,
            program,
            cwd: runOptions.cwd ?? '.',
            env: { ...options.env, ...record.context.env, ...runOptions.env },
            limits,
            network: options.network,
            workspace: runOptions.workspace ?? 'write',
            ...(runOptions.stdin === undefined ? {} : { stdin: runOptions.stdin }),
          },
          { signal: controller.signal, onOutput: output.push, mayCommit },
        );
        programs.add(process);
        return process;
      },
    };
  }

  /** A handler that starts nothing is bounded too; the executor bounds its processes itself, a little earlier. */
  const cancelTimeout = clock.timer(limits.timeoutMs + 1000, () =>
    interrupt({ kind: 'timed_out', timeoutMs: limits.timeoutMs }),
  );
  const stopRenewing = keepRenewed(options, () => interrupt({ kind: 'lease-lost' }));
  const ended = Promise.race([attempts(), givenUp.promise]).finally(() => {
    cancelTimeout();
    cancelGrace();
    stopRenewing();
    // Nothing may be started any more by a handler that has answered or was given up.
    controller.abort();
  });
  return { ended, interrupt };
}

/** Calls `lost` when the lease is gone, or could not be renewed for two thirds of its life. */
function keepRenewed(options: ExecuteOptions, lost: () => void): () => void {
  const { scheduler, lease, clock, logger } = options;
  const thirdMs = scheduler.leaseTtlMs / 3;
  let renewedAt = clock.monotonic();
  let cancel = clock.timer(thirdMs, renew);

  function renew(): void {
    const askedAt = clock.monotonic();
    // The last one was never answered.
    if (askedAt - renewedAt > 2.5 * thirdMs) return lost();
    cancel = clock.timer(thirdMs, renew);
    scheduler.renew(lease.leaseId).then(
      () => (renewedAt = askedAt),
      (error: unknown) => {
        logger.warn({ commandId: lease.commandId, leaseId: lease.leaseId, error }, 'lease not renewed');
        if (error instanceof LeaseLostError || askedAt - renewedAt >= 2 * thirdMs) lost();
      },
    );
  }

  return () => cancel();
}

function stopped(): ToolFailure {
  return new ToolFailure({ code: 'stopped', category: 'Cancelled', message: 'The command was stopped' });
}
