import {
  type Claim,
  type Execution,
  type ExecutionHooks,
  type ExecutionRequest,
  isAnswer,
  isTransient,
  type Outcome,
  type ReuseSource,
  SignalboxError,
  type Tool,
  type ToolAnswer,
  ToolFailure,
} from '@signalbox/core';
import type { LimitSettings } from '../../judging/limits-for.ts';
import { movesOf, pathsNamed, type WithheldChange } from '../../execution/judge-writes.ts';
import { fencedFiles } from '../../execution/fenced-files.ts';
import { narrowedFiles } from '../../execution/narrowed-files.ts';
import type { CancelMode } from '../../cancel-mode.ts';
import { createCommitGate } from './commit-gate.ts';
import { claimsOfChanges } from '../../judging/claims-of.ts';
import type { ExecuteOptions } from './execute-options.ts';
import { keepRenewed } from './keep-renewed.ts';
import {
  type Interruption,
  outcomeOfAnswer,
  outcomeOfError,
  outcomeOfInterruption,
} from '../outcome/outcome-of.ts';
import { retryDelayMs } from '../../retry/retry-delay.ts';
import type { Hold } from './hold.ts';
import { answersOf, clientEnvOf } from './program-facts.ts';
import { rerunInConflict } from './rerun.ts';
import { verifiedAnswer } from './verify-answer.ts';

export type ExecutedCall = {
  readonly outcome: Outcome;
  readonly answer: ToolAnswer | undefined;
  /** Its program did not run: this command's run gave the result. */
  readonly reusedFrom?: ReuseSource | undefined;
  /** The setting behind each of its limits. */
  readonly limitSettings?: LimitSettings;
  /** It would make these changes, and a person who can be asked must agree first. */
  readonly withheld?: readonly WithheldChange[] | undefined;
  /** It failed before it had done anything. */
  readonly isUntouched?: boolean;
};

export type RunningCall = {
  /** Resolves when the handler has answered and its processes are dead; never rejects. */
  readonly ended: Promise<ExecutedCall>;
  /** Stops the process; `ended` resolves when it is dead. The first reason counts; `now` applies whenever it comes. */
  interrupt(interruption: Interruption, haste?: CancelMode): void;
};

/** Longer than an executor takes from TERM to KILL. */
const GIVE_UP_AFTER_MS = 10_000;

/**
 * Runs a call's tool under its lease. Renews the lease at a third of its time to live while the tool works. Stops the
 * tool when the lease can't be renewed, when its time is over or when it is cancelled.
 *
 * A transient failure is retried within `tools.retry` and the task's budget (H6, X-17) if the tool is declared retryable,
 * or if it says that it has done nothing yet. A tool that has started a program or written is never run twice.
 *
 * A handler that ignores the stop is given up after 10 s, when every program that it started is dead: it can't start
 * another, and its lease, which ends with the command, lets it change no file. Time spent waiting for claims on its
 * changes does not count: its process is dead by then.
 */
export function executeCall(options: ExecuteOptions): RunningCall {
  const { tool, hold, scheduler, clock, logger, limits, output } = options;
  const heldAtStart = hold.lease()?.claims ?? [];
  const controller = new AbortController();
  const killer = new AbortController();
  const programs = new Set<Promise<unknown>>();
  const givenUp = Promise.withResolvers<ExecutedCall>();
  let interruption: Interruption | undefined;
  let withheld: readonly WithheldChange[] | undefined;
  let reusedFrom: ReuseSource | undefined;
  let isRemote = false;
  let cancelGrace: () => void = () => undefined;

  function interrupt(why: Interruption, haste: CancelMode = 'gently'): void {
    if (!controller.signal.aborted) {
      interruption = why;
      controller.abort();
      cancelGrace = clock.timer(GIVE_UP_AFTER_MS, () => void giveUp(why));
    }
    if (haste === 'now') killer.abort();
  }

  async function giveUp(why: Interruption): Promise<void> {
    await Promise.allSettled(programs);
    logger.error({ commandId: options.record.id, tool: tool.name }, 'tool handler ignored the stop');
    givenUp.resolve({ outcome: outcomeOfInterruption(why, options.limitSettings), answer: undefined });
  }

  async function attempt(): Promise<ExecutedCall> {
    try {
      const answer = await tool.handle(options.record.call.args, contextOf());
      const { limitSettings } = options;
      const outcome = outcomeOfAnswer(answer.execution, interruption, limitSettings);
      const isAsked = interruption === undefined && options.record.context.asking !== 'never';
      const verified = verifiedAnswer({ outcome, answer }, tool, { logger, commandId: options.record.id });
      return { ...verified, reusedFrom, limitSettings, withheld: isAsked ? withheld : undefined };
    } catch (error) {
      const outcome = outcomeOfError(error, interruption, options.limitSettings);
      const isHidden = outcome.kind === 'failed' && outcome.failure.visibility === 'hidden';
      // Only the log has the details (V3).
      if (isHidden || !(error instanceof SignalboxError)) {
        logger.error({ commandId: options.record.id, tool: tool.name, error }, 'tool handler failed');
      }
      const isUntouched = error instanceof ToolFailure && error.isUntouched;
      return { outcome, answer: undefined, ...(isUntouched ? { isUntouched } : {}) };
    }
  }

  async function attempts(): Promise<ExecutedCall> {
    const { budget, ...retry } = options.retry;
    for (let tries = 1; ; tries++) {
      const ran = await attempt();
      const retryable =
        (tool.retryable || ran.isUntouched === true) &&
        interruption === undefined &&
        ran.outcome.kind === 'failed' &&
        isTransient(ran.outcome.failure.category);
      const tried = { attempt: tries, waitedMs: budget.spentMs() };
      const delayMs = retryDelayMs({ retryable, retryAfterMs: undefined }, tried, retry);
      if (delayMs === null) return ran;
      budget.spend(delayMs);
      logger.info({ commandId: options.record.id, tries, delayMs }, 'call is retried');
      await pause(delayMs);
      if (interruption !== undefined)
        return { outcome: outcomeOfInterruption(interruption, options.limitSettings), answer: undefined };
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

  /** Its process is dead: waiting does not count as its own time. */
  const untimed: Hold = {
    lease: hold.lease,
    async exchange(claims, how) {
      cancelTimeout();
      const lease = await hold.exchange(claims, how);
      renewing.follow();
      cancelTimeout = startTimeout();
      return lease;
    },
  };

  const gate = createCommitGate({
    hold: untimed,
    scheduler,
    signal: controller.signal,
    judgeWrites: options.judgeWrites,
    onWithheld: (found) => (withheld = found),
    onLost: () => interrupt({ kind: 'lease-lost' }),
  });

  let written: readonly Claim[] = [];
  const mayCommit: typeof gate = async (changes, removedFolders) => {
    written = claimsOfChanges(changes, removedFolders);
    return gate(changes, removedFolders);
  };

  function execute(request: ExecutionRequest): Promise<Execution> {
    const { term } = renewing;
    const hooks: ExecutionHooks = {
      signal: controller.signal,
      kill: killer.signal,
      onOutput: output.push,
      onConnection: options.onConnection,
      mayCommit,
      lease: term,
      onRemote: () => (isRemote = true),
      labels: options.labels,
      ...(options.isDenied === null
        ? {}
        : { isDenied: options.isDenied, deniedPatterns: options.deniedPatterns }),
    };
    const process = options.executor.execute(request, hooks);
    programs.add(process);
    return process;
  }

  async function runAgainInConflict(request: ExecutionRequest): Promise<Execution> {
    return rerunInConflict(request, await execute(request), {
      ...options.reruns,
      hold: untimed,
      heldAtStart,
      signal: controller.signal,
      execute,
      written: () => written,
    });
  }

  /** Its time counts from its own start: waiting for an equal run does not. */
  async function runOnce(request: ExecutionRequest): Promise<Execution> {
    if (options.runOnce === undefined) return runAgainInConflict(request);
    cancelTimeout();
    const shared = await options.runOnce(request, {
      signal: controller.signal,
      isRemote: () => isRemote,
      execute() {
        if (controller.signal.aborted) throw stopped();
        cancelTimeout = startTimeout();
        return runAgainInConflict(request);
      },
    });
    reusedFrom = shared.reusedFrom;
    if (reusedFrom !== undefined)
      for (const stream of ['stdout', 'stderr'] as const) output.push(stream, shared.execution[stream].text);
    return shared.execution;
  }

  function contextOf(): Parameters<Tool['handle']>[1] {
    const { record } = options;
    const effects = record.verdict?.effects ?? [];
    return {
      commandId: record.id,
      sessionId: record.context.sessionId,
      provider: record.context.provider,
      files: narrowedFiles(
        fencedFiles(options.files, scheduler, { commandId: record.id, hold }),
        options.isDenied,
      ),
      git: options.inspector,
      readHashes: options.readHashes,
      staleWrite: options.staleWrite,
      outputs: options.outputs,
      findTools: options.findTools,
      clock,
      signal: controller.signal,
      lines: options.lines,
      async run(program, runOptions = {}) {
        if (controller.signal.aborted) throw stopped();
        const request: ExecutionRequest = {
          commandId: record.id,
          program,
          cwd: runOptions.cwd ?? '.',
          env: { ...options.env, ...record.context.env, ...runOptions.env },
          ...clientEnvOf(program, record),
          limits,
          network: options.network,
          readableHome: options.readableHome,
          agreed: pathsNamed(effects),
          ...movesOf(program, effects),
          ...(options.replacesAnySize === true ? { replacesAnySize: true } : {}),
          ...(options.login === null ? {} : { login: options.login }),
          workspace: runOptions.workspace ?? 'write',
          ...(runOptions.stdin === undefined ? {} : { stdin: runOptions.stdin }),
          ...(runOptions.terminal === undefined ? {} : { terminal: runOptions.terminal }),
          ...(runOptions.report === undefined ? {} : { report: runOptions.report }),
          ...answersOf(program, runOptions),
        };
        const last = await runOnce(request);
        return isAnswer(last, request.answerCodes) ? { ...last, answered: true } : last;
      },
    };
  }

  /** A handler that starts no program is bounded too; the executor bounds its processes itself, a little earlier. */
  function startTimeout(): () => void {
    return clock.timer(limits.timeoutMs + 1000, () =>
      interrupt({ kind: 'timed_out', timeoutMs: limits.timeoutMs }),
    );
  }

  let cancelTimeout = startTimeout();
  const renewing = keepRenewed(options, () => interrupt({ kind: 'lease-lost' }));
  const ended = Promise.race([attempts(), givenUp.promise]).finally(() => {
    cancelTimeout();
    cancelGrace();
    renewing.stop();
    // A handler that has answered or was given up must not start anything. A reason of our own saves an exception with its stack.
    controller.abort('the call has ended');
  });
  return { ended, interrupt };
}

function stopped(): ToolFailure {
  return new ToolFailure({ code: 'stopped', category: 'Cancelled', message: 'The command was stopped' });
}
