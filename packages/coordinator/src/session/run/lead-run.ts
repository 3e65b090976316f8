import type { Json, Logger, RandomBytes, SessionId } from '@signalbox/core';
import type { Coordinator } from '../../coordinator-api.ts';
import { type LedRun, leaveRun, isRunIdle } from './led-run.ts';
import { type CheckedLine, runChecks } from '../run-checks.ts';
import type { RunWriter } from './run-writer.ts';
import { runUntil } from './run-until.ts';
import type { SessionSummary } from '../session-options.ts';
import type { SessionStep } from '../session-step.ts';

/** Leads a run whose sessions have begun: checks between their answers, and its end. */
export function createRunLeader(parts: {
  readonly coordinator: Pick<Coordinator, 'submitAs' | 'earlierResult' | 'isEnding'>;
  readonly writer: RunWriter;
  readonly toStored: (step: SessionStep) => Json;
  /** The workspace's own tests. */
  readonly tests: string | null;
  readonly redact: (text: string) => string;
  readonly random: RandomBytes;
  readonly logger: Logger;
}) {
  const { coordinator, writer, tests, random, logger } = parts;
  let isDraining = false;

  function leaveIfIdle(run: LedRun): void {
    if (isDraining && !run.isLeft && isRunIdle(run)) leaveRun(run);
  }

  function checked(run: LedRun) {
    const { barrier, id: runId, budget, stopping } = run;
    return runChecks(barrier, {
      rounds: run.record.rounds,
      before: run.record.checks,
      check: (round) => checkOf(run, round),
      isStopped: () => stopping.signal.aborted,
      obstacle: () =>
        stopping.signal.aborted || coordinator.isEnding() ? 'stopped' : budget.isSpent() ? 'budget' : null,
      // A session rests only after an answer.
      hasWorked: () => run.hasWorked || barrier.resting() > 0,
      async onChecked({ round, result, next, failure, note }) {
        const checks = { round, last: result, lastFailure: failure, isOver: next !== 'again' };
        run.record = { ...run.record, checks };
        const told = note === null ? {} : stepsToldOf(run, note);
        await writer.save(run, {
          parts: told,
          events: [{ type: 'run_checked', runId, round, result, next }],
        });
      },
    });
  }

  /** The sessions that rest, as they are when they have been told. */
  function stepsToldOf({ sessions }: LedRun, note: string): Readonly<Record<string, Json>> {
    const steps = [...sessions].flatMap(([id, handle]): (readonly [SessionId, Json])[] => {
      const step = handle.step();
      if (step?.at !== 'resting') return [];
      const context = { ...step.context, inbox: [...step.context.inbox, note] };
      return [[id, parts.toStored({ ...step, context })]];
    });
    return Object.fromEntries(steps);
  }

  async function checkOf(run: LedRun, round: number): Promise<CheckedLine | null> {
    const { until, untilSession: sessionId, priority, clientEnv, checks } = run.record;
    if (until === null) return null;
    const isResuming = run.isResumed && round === checks.round + 1;
    try {
      const of = { coordinator, tests, random, sessionId, priority, clientEnv, round, isResuming };
      const one = await runUntil(until, of);
      return { ...one, result: { ...one.result, line: parts.redact(one.result.line) } };
    } catch (error) {
      logger.error({ error, runId: run.id }, 'the line that ends a run was not run');
      return null;
    }
  }

  return {
    /** The signal aborts when it continues by itself, or ends. */
    rest(run: LedRun, id: SessionId, signal: AbortSignal): Promise<string | null> {
      const rested = run.barrier.rest(id, signal);
      leaveIfIdle(run);
      return rested;
    },

    /** A session of the run is over. */
    left(run: LedRun, id: SessionId, { turns }: Pick<SessionSummary, 'turns'>): void {
      run.hasWorked ||= turns > 0;
      run.barrier.leave(id);
      run.sessions.delete(id);
      leaveIfIdle(run);
    },

    /** Settles when the run is over, or left to another process. */
    async lead(run: LedRun): Promise<readonly SessionSummary[]> {
      const sessions = Promise.all(run.summaries);
      const until =
        run.record.until === null
          ? null
          : await checked(run).catch((error: unknown) => {
              logger.error({ error, runId: run.id }, 'checks of a run ended');
              run.barrier.open();
              return null;
            });
      const summaries = await sessions;
      run.cancelGrace();
      const { stoppedBy } = run.record;
      await writer.end(run, { type: 'run_ended', runId: run.id, until, stoppedBy });
      run.over.resolve();
      return summaries;
    },

    /** From now on runs in which nothing happens are left to another process. */
    drain(runs: Iterable<LedRun>): void {
      isDraining = true;
      for (const run of runs) leaveIfIdle(run);
    },
  };
}
