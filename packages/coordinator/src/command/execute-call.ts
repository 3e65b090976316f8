import {
  type Clock,
  type CommandRecord,
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
import { type Interruption, outcomeOfAnswer, outcomeOfError } from './outcome-of.ts';

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
  readonly network: 'off' | 'on';
  readonly retry: { readonly attempts: number; readonly waitMs: number };
  readonly output: LiveOutput;
  readonly clock: Clock;
  readonly logger: Logger;
};

/**
 * Hands a call to its tool, under its lease: renews the lease at a third of its life while the tool works,
 * stops the tool when the lease can't be renewed, when its time is over or when somebody cancels.
 *
 * A transient failure of a tool that is declared retryable is tried once more (H6, X-17); a tool that starts
 * programs or writes never is.
 */
export function executeCall(options: ExecuteOptions): RunningCall {
  const { tool, lease, scheduler, clock, logger, limits, output } = options;
  const controller = new AbortController();
  let interruption: Interruption | undefined;

  function interrupt(why: Interruption): void {
    interruption ??= why;
    controller.abort();
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
      await new Promise<void>((resolve) => clock.timer(options.retry.waitMs, resolve));
    }
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
        return options.executor.execute(
          {
            commandId: record.id,
            program,
            cwd: runOptions.cwd ?? '.',
            env: { ...record.context.env, ...runOptions.env },
            limits,
            network: options.network,
            workspace: runOptions.workspace ?? 'write',
            ...(runOptions.stdin === undefined ? {} : { stdin: runOptions.stdin }),
          },
          { signal: controller.signal, onOutput: output.push },
        );
      },
    };
  }

  /** A handler that starts nothing is bounded too; the executor bounds its processes itself, a little earlier. */
  const cancelTimeout = clock.timer(limits.timeoutMs + 1000, () =>
    interrupt({ kind: 'timed_out', timeoutMs: limits.timeoutMs }),
  );
  const stopRenewing = keepRenewed(options, () => interrupt({ kind: 'lease-lost' }));
  const ended = attempts().finally(() => {
    cancelTimeout();
    stopRenewing();
  });
  return { ended, interrupt };
}

function keepRenewed(options: ExecuteOptions, lost: () => void): () => void {
  const { scheduler, lease, clock, logger } = options;
  let cancel: () => void = () => undefined;
  const later = (): void => {
    cancel = clock.timer(scheduler.leaseTtlMs / 3, () => void renew());
  };
  async function renew(): Promise<void> {
    try {
      await scheduler.renew(lease.leaseId);
      later();
    } catch (error) {
      logger.warn({ commandId: lease.commandId, leaseId: lease.leaseId, error }, 'lease not renewed');
      if (error instanceof LeaseLostError) lost();
      else later();
    }
  }
  later();
  return () => cancel();
}

function stopped(): ToolFailure {
  return new ToolFailure({ code: 'stopped', category: 'Cancelled', message: 'The command was stopped' });
}
