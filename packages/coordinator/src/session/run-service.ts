import {
  type CallContextInput,
  type ClientEnvironment,
  type Clock,
  type CommandStore,
  createId,
  type Event,
  type EventLog,
  type Logger,
  type NewEvent,
  type ProviderId,
  type RandomBytes,
  type RunId,
  type SessionId,
  UnavailableError,
  type UntilResult,
} from '@signalbox/core';
import type { Coordinator } from '../coordinator-api.ts';
import type { CancelMode } from '../cancel-mode.ts';
import { type SessionBudget, createBudget } from './budget.ts';
import { runUntil, type UntilLine } from './run-until.ts';
import { createSessionJournal } from './session-journal.ts';
import type { SessionHandle, SessionSummary } from './session-options.ts';
import { createTurnRequests } from './turn-requests.ts';

/** A provider and its task. */
export type Assignment = Readonly<{ provider: ProviderId; task: string }>;

/** The parameters of a run. */
export type RunRequest = Readonly<{
  assignments: readonly Assignment[];
  /**
   * Line that decides whether the work is done, after every session has ended. Absent: the workspace's tests; null: no
   * check.
   */
  until?: UntilLine | null | undefined;
  /** Turns of each session. Default: from the settings. */
  turns?: number | undefined;
  /** In US dollars, for all sessions together. Default: from the settings. */
  budgetUsd?: number | undefined;
  /** Priority of their calls; 0 is served first. Default: from the settings. */
  priority?: number | undefined;
  /** API keys by environment variable name: only for these sessions, and only in memory. */
  keys?: Readonly<Record<string, string>> | undefined;
  /** Environment for shell lines of its sessions and for `until`. Default: the coordinator's own. */
  clientEnv?: ClientEnvironment | undefined;
  /**
   * Whether people may answer at any time: an approval not answered in time pauses its session, and a session out of
   * turns asks for more. Default true.
   */
  attended?: boolean | undefined;
  /** The person who started it. */
  by: string;
}>;

/** One session of a run, before its first turn. */
export type SessionStart = Assignment &
  Readonly<{
    sessionId: SessionId;
    runId: RunId;
    turns: number | undefined;
    budget: SessionBudget;
    keys: Readonly<Record<string, string>>;
    signal: AbortSignal;
    context: Partial<CallContextInput>;
    /** Absent: a session ends with its turns. */
    moreTurns?: (used: { readonly turns: number; readonly signal: AbortSignal }) => Promise<number>;
  }>;

/**
 * Checks what a session needs; call the result to begin it. @throws {UnavailableError | UsageError} why it can't begin
 */
export type PrepareSession = (start: SessionStart) => () => SessionHandle;

/** A run that has begun. */
export type StartedRun = Readonly<{
  runId: RunId;
  sessions: readonly SessionId[];
  /** `run_started`, as stored in the log; null only if the log did not return it. */
  firstEvent: Event | null;
  /** Never rejects. */
  ended: Promise<readonly SessionSummary[]>;
}>;

/** The runs led by this process: sessions that were started together, and their `until` line. */
export type RunService = Readonly<{
  /**
   * Starts all of its sessions or none.
   *
   * @throws {UnavailableError} `stopping`, `missing-api-key`, and when the event log can't be written. @throws
   * {UsageError} `unknown-provider`, `unknown-key`
   */
  start(request: RunRequest): Promise<StartedRun>;
  /** `graceful`: no new calls, and 10 s for running ones; `force`: every process is killed now. False if it is over. */
  stop(id: RunId, by: string, options: Readonly<{ mode: StopMode }>): boolean;
  /** Cancels its running commands at once. False if no such session is led here. */
  stopSession(id: SessionId, by: string): boolean;
  /** Compresses its conversation before its next turn. False if no such session is led here, or it ends. */
  compressSession(id: SessionId, by: string): boolean;
  /** False if that session does not wait for more turns. */
  grantTurns(id: SessionId, options: Readonly<{ turns: number; by: string }>): Promise<boolean>;
  isLed(id: RunId | SessionId): boolean;
  /** Number of runs that are not over. */
  count(): number;
  /** Rejects new runs; resolves when the last one is over. */
  drain(): Promise<void>;
  /** Like {@link drain}, but only running commands continue. */
  close(): Promise<void>;
}>;

export type StopMode = 'graceful' | 'force';

const GRACE_MS = 10_000;

type Run = {
  readonly id: RunId;
  readonly sessions: Map<SessionId, SessionHandle>;
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
    const { assignments, keys = {}, attended = true, turns, priority, by } = request;
    loading ??= parts.load();
    const prepare = await loading;
    if (coordinator.isEnding()) throw stopping();
    const run: Run = {
      id: createId('run', random),
      sessions: new Map(),
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
    const budget = createBudget(request.budgetUsd ?? parts.budgetUsd());
    const prepared = assignments.map(({ provider, task }) => {
      const sessionId = createId('session', random);
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
        ...(attended ? { moreTurns: (used) => turnRequests.ask({ sessionId, provider }, used) } : {}),
      });
      return { sessionId, begin };
    });
    const sessions = prepared.map(({ sessionId }) => sessionId);
    const until = request.until === undefined ? (tests === null ? null : { line: tests }) : request.until;
    const firstEvent = await begun(run, {
      sessions,
      by,
      budgetUsd: budget.limitUsd,
      until: until === null ? null : parts.redact(until.line),
      untilSession: until === null ? null : run.untilSession,
    });
    for (const { sessionId, begin } of prepared) run.sessions.set(sessionId, begin());
    return { runId: run.id, sessions, firstEvent, ended: lead(run, until) };
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

  async function lead(run: Run, until: UntilLine | null): Promise<readonly SessionSummary[]> {
    const summaries = await Promise.all(
      [...run.sessions].map(async ([id, { finished }]) => {
        const summary = await finished;
        run.sessions.delete(id);
        return summary;
      }),
    );
    // If no model ever answered, the result of the line would be unchanged.
    const hasWorked = summaries.some(({ turns }) => turns > 0);
    const passed = until === null || !hasWorked ? null : await endingOf(run, until);
    const shown = passed === null ? null : { ...passed, line: parts.redact(passed.line) };
    run.cancelGrace();
    await journal.tell({ type: 'run_ended', runId: run.id, until: shown, stoppedBy: run.stoppedBy });
    over(run);
    return summaries;
  }

  async function endingOf(run: Run, until: UntilLine): Promise<UntilResult | null> {
    if (run.stopping.signal.aborted) return null;
    try {
      return await runUntil(until, { coordinator, tests, sessionId: run.untilSession, ...run.ofCalls });
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
