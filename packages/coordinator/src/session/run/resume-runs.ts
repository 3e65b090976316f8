import {
  type Clock,
  type Json,
  type Logger,
  type NewEvent,
  type NodeId,
  type Nodes,
  RunId,
  type RunStore,
  type SessionId,
  type StoredRun,
  UnavailableError,
} from '@signalbox/core';
import { createLedRun, type LedRun, type WaitingSession } from './led-run.ts';
import { type LeftRun, leftRunOf, RunRecord, RUN_PART } from './run-record.ts';
import type { RunWriter } from './run-writer.ts';
import type { SessionJournal } from '../session-journal.ts';
import type { SessionHandle, SessionSummary } from '../session-options.ts';
import type { SessionStep } from '../session-step.ts';
import { continueSession, type LeftSession } from './waiting-session.ts';

const AGAIN_AFTER_MS = 1000;

type Begin = (run: LedRun, session: LeftSession, keys: Readonly<Record<string, string>>) => SessionHandle;

/** Continues the runs that other processes have left: at the start, and when another coordinator dies. */
export function resumeLeftRuns(parts: {
  readonly runStore: RunStore;
  readonly owner: NodeId | null;
  readonly nodes: Pick<Nodes, 'living' | 'onDead' | 'onRestored'> | null;
  readonly journal: SessionJournal;
  readonly writer: RunWriter;
  readonly toStored: (step: SessionStep) => Json;
  readonly redact: (text: string) => string;
  readonly isLed: (id: RunId) => boolean;
  readonly add: (run: LedRun) => void;
  readonly noteEnd: (run: LedRun, id: SessionId, summary: Promise<SessionSummary>) => void;
  readonly lead: (run: LedRun) => void;
  readonly preparer: () => Promise<Begin>;
  readonly clock: Clock;
  readonly logger: Logger;
}) {
  const { runStore, owner, nodes, logger, clock } = parts;
  /** Runs and sessions that are about to be continued here. */
  const expected = new Set<string>();
  let isStopped = false;
  let cancelNext: () => void = () => undefined;
  let taking: Promise<void> = Promise.resolve();
  const unlisten = [nodes?.onDead(round), nodes?.onRestored(round)];

  function round(): void {
    taking = taking.then(takeAll).catch((error: unknown) => {
      logger.warn({ error }, 'runs of a dead coordinator not continued yet; trying again');
      cancelNext();
      if (!isStopped) cancelNext = clock.timer(AGAIN_AFTER_MS, round);
    });
  }

  /** Those that no living coordinator leads. */
  async function left(): Promise<readonly StoredRun[]> {
    const found = await runStore.unfinished();
    if (found.length === 0) return [];
    const living = new Set<NodeId | null>((await nodes?.living())?.map(({ id }) => id) ?? []);
    return found.filter(({ id, owner: of }) => !parts.isLed(id) && (of === owner || !living.has(of)));
  }

  async function takeAll(): Promise<void> {
    if (isStopped) return;
    const found = await left();
    if (found.length === 0) return;
    const begin = await parts.preparer();
    for (const { id, owner: from } of found) {
      if (isStopped) return;
      if (!(await runStore.take(id, { from, to: owner }))) continue;
      // Its former owner may have stored a last step before it was taken.
      const taken = (await runStore.unfinished()).find((run) => run.id === id);
      if (taken !== undefined && !isStopped) await resume(taken, begin);
    }
    expected.clear();
  }

  async function resume(stored: StoredRun, begin: Begin): Promise<void> {
    const found = leftRunOf(stored);
    if (found === null) return end(stored);
    const run = createLedRun(found.id, found.record, { isResumed: true });
    parts.add(run);
    const { stoppedBy } = run.record;
    if (stoppedBy !== null) run.stopping.abort(`stopped by ${stoppedBy}`);
    logger.info({ runId: run.id, from: stored.owner }, 'run continued');
    for (const session of sessionsOf(found)) {
      run.hasWorked ||= (session.step?.context.endedTurns ?? 0) > 0;
      const { summary } = await continueSession(run, session, { ...parts, begin });
      parts.noteEnd(run, session.sessionId, summary);
    }
    parts.lead(run);
  }

  /** Another version has written it, or it is damaged: nobody could continue it. */
  async function end({ id, parts: { [RUN_PART]: record } }: StoredRun): Promise<void> {
    logger.error({ runId: id, record: RunRecord.safeParse(record).error }, 'run not readable');
    const message = `Cannot continue run ${id}: what is stored of it cannot be read`;
    const next = ['signalbox review   shows what it has changed', 'start it again'];
    const change = { id, owner, kind: 'over', parts: {} } as const;
    const warning: NewEvent = { type: 'warning_raised', code: 'run-unreadable', message, next };
    // An id that can't be read is that of no run.
    const isRun = RunId.safeParse(id).success;
    const ended: NewEvent = { type: 'run_ended', runId: id, until: null, stoppedBy: 'Signalbox' };
    await runStore.commit(change, isRun ? [warning, ended] : [warning]);
  }

  return {
    /** Begins with what was left before this process started; settles when that is known. */
    async takeUp(): Promise<void> {
      // The first round reports why they can't be read, and is repeated.
      for (const stored of await left().catch(() => [])) {
        expected.add(stored.id);
        for (const name of Object.keys(stored.parts)) expected.add(name);
        for (const { sessionId } of leftRunOf(stored)?.record.sessions ?? []) expected.add(sessionId);
      }
      round();
    },

    /** A client has brought keys. @throws {UsageError} `unknown-key` */
    tryAgain(session: WaitingSession, keys: Readonly<Record<string, string>>): void {
      try {
        session.begin(keys);
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        session.needs = [error.message, ...error.why].map(parts.redact).join(': ');
      }
    },

    /** Whether a run or session is about to continue here. */
    isExpected: (id: RunId | SessionId): boolean => expected.has(id),

    stop(): void {
      isStopped = true;
      cancelNext();
      for (const stop of unlisten) stop?.();
    },
  };
}

/** A step that can't be read leaves nothing to continue with: the session then fails. */
function sessionsOf({ record, stepOf }: LeftRun): readonly LeftSession[] {
  return record.sessions.map((session) => {
    const step = stepOf(session.sessionId);
    return step === null ? { ...session, step: undefined, isDamaged: true } : { ...session, step };
  });
}
