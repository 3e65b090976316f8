import {
  type ClientEnvironment,
  type Clock,
  type CommandStore,
  createId,
  type Event,
  type EventLog,
  type Logger,
  type NewEvent,
  type RandomBytes,
  type RunId,
  type SessionId,
  UnavailableError,
} from '@signalbox/core';
import type { Coordinator } from '../coordinator-api.ts';
import type { CancelMode } from '../cancel-mode.ts';
import { type SessionBudget, createBudget } from './budget.ts';
import { createSessionBarrier, type SessionBarrier } from './session-barrier.ts';
import { type CheckedLine, DEFAULT_ROUNDS, runChecks } from './run-checks.ts';
import type { PrepareSession, RunRequest, RunService, StartedRun } from './run-options.ts';
import { runUntil, type UntilLine } from './run-until.ts';
import { createSessionJournal } from './session-journal.ts';
import type { SessionHandle, SessionSummary } from './session-options.ts';
import { createTurnRequests } from './turn-requests.ts';

const GRACE_MS = 10_000;

type Run = {
  readonly id: RunId;
  readonly sessions: Map<SessionId, SessionHandle>;
  readonly barrier: SessionBarrier;
  readonly budget: SessionBudget;
  /** Whether a model has answered. */
  hasWorked: boolean;
  /** Session id of the `until` line. */
  readonly untilSession: SessionId;
  /** Added to the context of all its calls, including those of `until`. */
  readonly ofCalls: { readonly priority?: number; readonly clientEnv?: ClientEnvironment };
  readonly stopping: AbortController;
  stoppedBy: string | null;
  cancelGrace: () => void;
  readonly over: PromiseWithResolvers<void>;
};

export function createRunService(parts: {
  /** Loads what sessions need, at the first one: the provider SDKs are large. */
  readonly load: () => Promise<PrepareSession>;
  readonly coordinator: Pick<Coordinator, 'submit' | 'cancel' | 'drain' | 'isEnding'>;
  readonly store: Pick<CommandStore, 'unfinished'>;
  readonly events: Pick<EventLog, 'append'>;
  /** The workspace's own tests. */
  readonly tests: string | null;
  /** Removes secrets from what goes into the event log. */
  readonly redact: (text: string) => string;
  /** In US dollars, for a run without its own budget. */
  readonly budgetUsd: () => number | null;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}): RunService {
  const { coordinator, store, clock, random, logger, tests } = parts;
  const journal = createSessionJournal(parts.events, logger);
  const turnRequests = createTurnRequests(journal);
  const runs = new Map<RunId, Run>();
  let loading: Promise<PrepareSession> | undefined;

  async function start(request: RunRequest): Promise<StartedRun> {
    const { assignments, keys = {}, attended = true, rounds = DEFAULT_ROUNDS, turns, priority, by } = request;
    loading ??= parts.load();
    const prepare = await loading;
    if (coordinator.isEnding()) throw stopping();
    const assigned = assignments.map((one) => ({ ...one, sessionId: createId('session', random) }));
    const budget = createBudget(request.budgetUsd ?? parts.budgetUsd());
    const run: Run = {
      id: createId('run', random),
      sessions: new Map(),
      barrier: createSessionBarrier(assigned.map(({ sessionId }) => sessionId)),
      budget,
      hasWorked: false,
      untilSession: createId('session', random),
      ofCalls: {
        ...(priority === undefined ? {} : { priority }),
        ...(request.clientEnv === undefined ? {} : { clientEnv: request.clientEnv }),
      },
      stopping: new AbortController(),
      stoppedBy: null,
      cancelGrace: () => undefined,
      over: Promise.withResolvers(),
    };
    const until = request.until === undefined ? (tests === null ? null : { line: tests }) : request.until;
    const prepared = assigned.map(({ provider, task, sessionId }) => {
      const begin = prepare({
        sessionId,
        runId: run.id,
        provider,
        task,
        turns,
        budget,
        keys,
        signal: run.stopping.signal,
        context: {
          pausesOnExpiry: attended,
          ...run.ofCalls,
        },
        ...(attended ? { moreTurns: (asked) => turnRequests.ask({ sessionId, provider }, asked) } : {}),
        ...(until === null ? {} : { rest: (signal) => run.barrier.rest(sessionId, signal) }),
      });
      return { sessionId, begin };
    });
    const sessions = prepared.map(({ sessionId }) => sessionId);
    const firstEvent = await begun(run, {
      sessions,
      by,
      budgetUsd: budget.limitUsd,
      until: until === null ? null : parts.redact(until.line),
      untilSession: until === null ? null : run.untilSession,
      ...(until === null ? {} : { rounds }),
    });
    for (const { sessionId, begin } of prepared) run.sessions.set(sessionId, begin());
    return { runId: run.id, sessions, firstEvent, ended: lead(run, until, { rounds }) };
  }

  async function begun(
    run: Run,
    reported: Omit<Extract<NewEvent, { type: 'run_started' }>, 'type' | 'runId'>,
  ): Promise<Event | null> {
    runs.set(run.id, run);
    try {
      const [event = null] = await parts.events.append([{ type: 'run_started', runId: run.id, ...reported }]);
      return event;
    } catch (error) {
      over(run);
      throw error;
    }
  }

  function over(run: Run): void {
    runs.delete(run.id);
    run.over.resolve();
  }

  async function lead(
    run: Run,
    until: UntilLine | null,
    { rounds }: Readonly<{ rounds: number }>,
  ): Promise<readonly SessionSummary[]> {
    const sessions = Promise.all(
      [...run.sessions].map(async ([id, { finished }]) => {
        const summary = await finished;
        run.hasWorked ||= summary.turns > 0;
        run.barrier.leave(id);
        run.sessions.delete(id);
        return summary;
      }),
    );
    const checks = until === null ? null : await checked(run, until, { rounds });
    const summaries = await sessions;
    run.cancelGrace();
    await journal.tell({ type: 'run_ended', runId: run.id, until: checks, stoppedBy: run.stoppedBy });
    over(run);
    return summaries;
  }

  function checked(run: Run, until: UntilLine, { rounds }: Readonly<{ rounds: number }>) {
    const { barrier, id: runId, budget } = run;
    return runChecks(barrier, {
      rounds,
      check: () => checkOf(run, until),
      isStopped: () => run.stopping.signal.aborted,
      obstacle: () =>
        run.stopping.signal.aborted || coordinator.isEnding()
          ? 'stopped'
          : budget.isSpent()
            ? 'budget'
            : null,
      // A session rests only after an answer.
      hasWorked: () => run.hasWorked || barrier.resting() > 0,
      onChecked: (one) => journal.tell({ type: 'run_checked', runId, ...one }),
    });
  }

  async function checkOf(run: Run, until: UntilLine): Promise<CheckedLine | null> {
    try {
      const one = await runUntil(until, {
        coordinator,
        tests,
        random,
        sessionId: run.untilSession,
        ...run.ofCalls,
      });
      return { ...one, result: { ...one.result, line: parts.redact(one.result.line) } };
    } catch (error) {
      logger.error({ error, runId: run.id }, 'the line that ends a run was not run');
      return null;
    }
  }

  async function cancelCommands(run: Run, haste: CancelMode, ids: ReadonlySet<SessionId>): Promise<void> {
    const by = run.stoppedBy ?? 'Signalbox';
    for (const { id, context } of await store.unfinished())
      if (ids.has(context.sessionId) || context.sessionId === run.untilSession)
        await coordinator.cancel(id, { by, reason: 'the run was stopped', haste });
  }

  function cancelAll(run: Run, haste: CancelMode): void {
    run.cancelGrace();
    cancelCommands(run, haste, new Set(run.sessions.keys())).catch((error: unknown) => {
      logger.error({ error, runId: run.id }, 'commands of a stopped run not cancelled');
    });
  }

  function handleOf(id: SessionId): SessionHandle | undefined {
    return [...runs.values()].map(({ sessions }) => sessions.get(id)).find((one) => one !== undefined);
  }

  async function drain(): Promise<void> {
    coordinator.drain();
    while (runs.size > 0) await Promise.all([...runs.values()].map((run) => run.over.promise));
  }

  return {
    start,
    stop(id, by, { mode }) {
      const run = runs.get(id);
      if (run === undefined) return false;
      run.stoppedBy ??= by;
      run.stopping.abort(`stopped by ${by}`);
      if (mode === 'force') cancelAll(run, 'now');
      else {
        run.cancelGrace();
        run.cancelGrace = clock.timer(GRACE_MS, () => cancelAll(run, 'gently'));
      }
      return true;
    },
    stopSession(id, by) {
      const handle = handleOf(id);
      handle?.cancel(`stopped by ${by}`);
      return handle !== undefined;
    },
    sayToSession: (id, message) => handleOf(id)?.say(message) ?? false,
    compressSession: (id, by) => handleOf(id)?.compress(by) ?? false,
    grantTurns: turnRequests.answer,
    isLed: (id) =>
      [...runs.values()].some((run) => run.id === id || [...run.sessions.keys()].some((one) => one === id)),
    count: () => runs.size,
    drain,
    close() {
      for (const run of runs.values()) run.stopping.abort('Signalbox is stopping');
      return drain();
    },
  };
}

function stopping(): UnavailableError {
  return new UnavailableError('stopping', 'Cannot start a session: the coordinator is stopping', {
    why: ['it accepts no new work, and stops when running work has finished'],
    next: ['signalbox status', 'start it again when the coordinator has stopped'],
  });
}
