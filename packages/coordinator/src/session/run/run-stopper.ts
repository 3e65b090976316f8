import type { Clock, CommandStore, Logger, SessionId } from '@signalbox/core';
import type { CancelMode } from '../../cancel-mode.ts';
import type { Coordinator } from '../../coordinator-api.ts';
import type { LedRun } from './led-run.ts';
import type { StopMode } from './run-options.ts';
import type { RunWriter } from './run-writer.ts';

const GRACE_MS = 10_000;

/** Stops runs for a person. */
export function createRunStopper(parts: {
  readonly coordinator: Pick<Coordinator, 'cancel'>;
  readonly store: Pick<CommandStore, 'unfinished'>;
  readonly writer: RunWriter;
  readonly clock: Clock;
  readonly logger: Logger;
}) {
  const { coordinator, store, writer, clock, logger } = parts;

  async function cancelCommands(run: LedRun, haste: CancelMode, ids: ReadonlySet<SessionId>): Promise<void> {
    const by = run.record.stoppedBy ?? 'Signalbox';
    for (const { id, context } of await store.unfinished())
      if (ids.has(context.sessionId) || context.sessionId === run.record.untilSession)
        await coordinator.cancel(id, { by, reason: 'the run was stopped', haste });
  }

  /** Of these runs: nobody is to approve what no session waits for any more. */
  async function cancelWaiting(runs: readonly LedRun[]): Promise<void> {
    const ids = new Set(runs.flatMap(({ sessions, record }) => [...sessions.keys(), record.untilSession]));
    if (ids.size === 0) return;
    for (const { id, context, state } of await store.unfinished())
      if (ids.has(context.sessionId) && state !== 'running')
        await coordinator.cancel(id, { by: 'signalbox', reason: 'Signalbox was stopped' });
  }

  function cancelAll(run: LedRun, haste: CancelMode): void {
    run.cancelGrace();
    cancelCommands(run, haste, new Set(run.sessions.keys())).catch((error: unknown) => {
      logger.error({ error, runId: run.id }, 'commands of a stopped run not cancelled');
    });
  }

  /** Sessions that wait for a key end at once. */
  function endWaiting(run: LedRun, reason: string): void {
    for (const session of run.waiting.values())
      session.end(reason).catch((error: unknown) => {
        logger.error({ error, runId: run.id }, 'waiting session not ended');
      });
  }

  return {
    endWaiting,
    /** Never fails: the next coordinator cancels the others when it ends their sessions. */
    async cancelWaiting(runs: Iterable<LedRun>): Promise<void> {
      await cancelWaiting([...runs].filter(({ isLeft }) => !isLeft)).catch((error: unknown) => {
        logger.error({ error }, 'waiting commands of ended runs not cancelled');
      });
    },
    cancelCommands: (run: LedRun): void => cancelAll(run, 'gently'),
    stop(run: LedRun, by: string, mode: StopMode): void {
      run.record = { ...run.record, stoppedBy: run.record.stoppedBy ?? by };
      // So that no other process continues it.
      writer.save(run, {}).catch((error: unknown) => {
        logger.warn({ error, runId: run.id }, 'stop of a run not stored');
      });
      run.stopping.abort(`stopped by ${by}`);
      endWaiting(run, `stopped by ${by}`);
      if (mode === 'force') return cancelAll(run, 'now');
      run.cancelGrace();
      run.cancelGrace = clock.timer(GRACE_MS, () => cancelAll(run, 'gently'));
    },
  };
}
