import {
  type Clock,
  type CommandStore,
  createId,
  type EventLog,
  type Logger,
  type NodeId,
  type Nodes,
  type RandomBytes,
  type RunId,
  type RunStore,
  type SessionId,
  UnavailableError,
} from '@signalbox/core';
import type { Coordinator } from '../../coordinator-api.ts';
import { createRunLeader } from './lead-run.ts';
import { createRemovedRunEnd } from './removed-run.ts';
import { createLedRun, isRunIdle, leaveRun, type LedRun } from './led-run.ts';
import { newRunRecord } from './new-run-record.ts';
import { resumeLeftRuns } from './resume-runs.ts';
import type { PrepareSession, RunRequest, RunService, SessionStart, StartedRun } from './run-options.ts';
import { createRunWriter } from './run-writer.ts';
import { createRunStopper } from './run-stopper.ts';
import { createSessionJournal } from '../session-journal.ts';
import type { SessionHandle, SessionSummary } from '../session-options.ts';
import { createStepConverter } from '../session-step.ts';
import { createTurnRequests } from './turn-requests.ts';

export function createRunService(parts: {
  /** Loads what sessions need, at the first one: the provider SDKs are large. */
  readonly load: () => Promise<PrepareSession>;
  readonly coordinator: Pick<Coordinator, 'submitAs' | 'earlierResult' | 'cancel' | 'drain' | 'isEnding'>;
  readonly store: Pick<CommandStore, 'unfinished'>;
  readonly runStore: RunStore;
  /** The nodes of the workspace; null where it has one coordinator. */
  readonly nodes: Pick<Nodes, 'self' | 'living' | 'onDead' | 'onRestored' | 'onReturned'> | null;
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
  const { coordinator, random, logger, redact } = parts;
  const owner: NodeId | null = parts.nodes?.self ?? null;
  const journal = createSessionJournal(parts.events, logger);
  const turnRequests = createTurnRequests(journal);
  const endRemoved = createRemovedRunEnd({
    ...parts,
    journal,
    cancelCommands: (run) => stopper.cancelCommands(run),
  });
  const writer = createRunWriter({ ...parts, owner, journal, onRemoved: endRemoved });
  const toStored = createStepConverter(redact);
  const leader = createRunLeader({ ...parts, writer, toStored });
  const stopper = createRunStopper({ ...parts, writer });
  const runs = new Map<RunId, LedRun>();
  let loading: Promise<PrepareSession> | undefined;

  function load(): Promise<PrepareSession> {
    return (loading ??= parts.load());
  }

  function add(run: LedRun): void {
    runs.set(run.id, run);
    void run.over.promise.then(() => runs.delete(run.id));
  }

  function startOf(
    run: LedRun,
    { sessionId, provider, task }: Pick<SessionStart, 'sessionId' | 'provider' | 'task'>,
    keys: SessionStart['keys'],
  ): SessionStart {
    const { attended, until, turns, priority, clientEnv } = run.record;
    return {
      sessionId,
      runId: run.id,
      provider,
      task,
      turns,
      budget: run.budget,
      keys,
      signal: run.stopping.signal,
      isLeft: () => run.isLeft,
      save: (step, events) => writer.save(run, { parts: { [sessionId]: toStored(step) }, events }),
      context: {
        pausesOnExpiry: attended,
        ...(attended ? {} : { unattended: true }),
        ...(priority === undefined ? {} : { priority }),
        ...(clientEnv === undefined ? {} : { clientEnv }),
      },
      ...(attended ? { moreTurns: (asked) => turnRequests.ask({ sessionId, provider }, asked) } : {}),
      ...(until === null ? {} : { rest: (signal) => leader.rest(run, sessionId, signal) }),
    };
  }

  function noteEnd(run: LedRun, id: SessionId, summary: Promise<SessionSummary>): void {
    run.summaries.push(
      summary.then((ended) => {
        leader.left(run, id, ended);
        return ended;
      }),
    );
  }

  async function start(request: RunRequest): Promise<StartedRun> {
    const { keys = {}, by } = request;
    const prepare = await load();
    if (coordinator.isEnding()) throw stopping();
    const record = newRunRecord(request, parts);
    const run = createLedRun(createId('run', random), record, { isResumed: false });
    const prepared = request.assignments.map((assigned, n) => {
      const sessionId = record.sessions[n]?.sessionId ?? createId('session', random);
      return { sessionId, begin: prepare(startOf(run, { ...assigned, sessionId }, keys)) };
    });
    const { until, untilSession, rounds, limitUsd: budgetUsd } = record;
    add(run);
    const sessions = prepared.map(({ sessionId }) => sessionId);
    const firstEvent = await writer
      .begin(run, {
        type: 'run_started',
        runId: run.id,
        sessions,
        by,
        budgetUsd,
        until: until === null ? null : redact(until.line),
        untilSession: until === null ? null : untilSession,
        ...(until === null ? {} : { rounds }),
      })
      .catch((error: unknown) => {
        runs.delete(run.id);
        run.over.resolve();
        throw error;
      });
    for (const { sessionId, begin } of prepared) {
      const handle = begin();
      run.sessions.set(sessionId, handle);
      noteEnd(run, sessionId, handle.finished);
    }
    return { runId: run.id, sessions, firstEvent, ended: leader.lead(run) };
  }

  const resuming = resumeLeftRuns({
    ...parts,
    owner,
    journal,
    writer,
    toStored,
    isLed: (id) => runs.has(id),
    add,
    noteEnd,
    lead: (run) => void leader.lead(run),
    async preparer() {
      const prepare = await load();
      return (run, { step, ...session }, keys) =>
        prepare({
          ...startOf(run, session, keys),
          ...(step === undefined ? {} : { left: step }),
        })();
    },
  });

  function handleOf(id: SessionId): SessionHandle | undefined {
    return [...runs.values()].map(({ sessions }) => sessions.get(id)).find((one) => one !== undefined);
  }

  function waitingOf(id: SessionId) {
    return [...runs.values()].map(({ waiting }) => waiting.get(id)).find((one) => one !== undefined);
  }

  async function drain(): Promise<void> {
    coordinator.drain();
    resuming.stop();
    leader.drain(runs.values());
    while (runs.size > 0) await Promise.all([...runs.values()].map((run) => run.over.promise));
  }

  return {
    start,
    takeUp: resuming.takeUp,
    resume(id, keys) {
      const run = runs.get(id);
      if (run === undefined) return null;
      for (const session of run.waiting.values()) resuming.tryAgain(session, keys);
      return [...run.waiting.values()].map(({ needs }) => needs);
    },
    stop(id, by, { mode }) {
      const run = runs.get(id);
      if (run !== undefined) stopper.stop(run, by, mode);
      return run !== undefined;
    },
    async stopSession(id, by) {
      const [handle, waiting] = [handleOf(id), waitingOf(id)];
      handle?.cancel(`stopped by ${by}`);
      await handle?.settled();
      await waiting?.end(`stopped by ${by}`);
      return handle !== undefined || waiting !== undefined;
    },
    async sayToSession(id, message) {
      const [handle, waiting] = [handleOf(id), waitingOf(id)];
      await waiting?.say(message);
      const isSaid = handle?.say(message) ?? waiting !== undefined;
      await handle?.settled();
      return isSaid;
    },
    async compressSession(id, by) {
      const handle = handleOf(id);
      const isRequested = handle?.compress(by) ?? false;
      await handle?.settled();
      return isRequested;
    },
    grantTurns: turnRequests.answer,
    isLed: (id) =>
      resuming.isExpected(id) ||
      [...runs.values()].some(
        (run) => run.id === id || [...run.sessions.keys(), ...run.waiting.keys()].some((one) => one === id),
      ),
    count: () => [...runs.values()].filter((run) => !isRunIdle(run)).length,
    drain,
    async close(stopCommands) {
      coordinator.drain();
      resuming.stop();
      leader.drain(runs.values());
      for (const run of runs.values()) {
        run.stopping.abort('Signalbox is stopping');
        stopper.endWaiting(run, 'Signalbox is stopping');
      }
      await stopper.cancelWaiting(runs.values());
      await stopCommands();
      await drain();
    },
    leave(stopCommands) {
      coordinator.drain();
      resuming.stop();
      for (const run of runs.values()) leaveRun(run);
      return stopCommands();
    },
  };
}

function stopping(): UnavailableError {
  return new UnavailableError('stopping', 'Cannot start a session: the coordinator is stopping', {
    why: ['it accepts no new work, and stops when running work has finished'],
    next: ['signalbox status', 'start it again when the coordinator has stopped'],
  });
}
