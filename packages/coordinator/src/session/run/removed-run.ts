import { NO_USAGE, type NewEvent, type Nodes } from '@signalbox/core';
import { leaveRun, type LedRun } from './led-run.ts';
import type { SessionJournal } from '../session-journal.ts';

/**
 * Ends a run of which nothing is stored any more, as when somebody has emptied the backend: nobody could continue it, and
 * people must be told why it ends.
 */
export function createRemovedRunEnd(parts: {
  readonly journal: SessionJournal;
  /** Null where the workspace has one coordinator. */
  readonly nodes: Pick<Nodes, 'onReturned'> | null;
  readonly cancelCommands: (run: LedRun) => void;
}): (run: LedRun) => void {
  const { journal, nodes, cancelCommands } = parts;
  /** Whether the others may have taken this coordinator for dead, continued its runs and ended them. */
  let wasAway = false;
  nodes?.onReturned(() => {
    wasAway = true;
  });

  function endingsOf(run: LedRun, message: string): readonly NewEvent[] {
    const unfinished = run.record.sessions.filter(
      ({ sessionId: id }) => run.sessions.has(id) || run.waiting.has(id),
    );
    const sessions = unfinished.map(({ sessionId, provider }): NewEvent => {
      const context = run.sessions.get(sessionId)?.step()?.context;
      const { endedTurns: turns = 0, usage = NO_USAGE, costUsd = null } = context ?? {};
      return { type: 'session_ended', sessionId, provider, finish: 'failed', message, turns, usage, costUsd };
    });
    return [...sessions, { type: 'run_ended', runId: run.id, until: null, stoppedBy: 'Signalbox' }];
  }

  return (run) => {
    const message = `Cannot continue run ${run.id}: what was stored of it has been removed`;
    const next = ['signalbox review   shows what it has changed', 'start it again'];
    const warning: NewEvent = { type: 'warning_raised', code: 'run-removed', message, next };
    void journal.tell(warning, ...(wasAway ? [] : endingsOf(run, message)));
    cancelCommands(run);
    leaveRun(run);
  };
}
