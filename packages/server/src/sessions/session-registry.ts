import { isAfter, runAfter, type RunView, sessionAfter, type SessionView } from '@signalbox/api';
import type { Event, EventId, EventLog, RunId, SessionId } from '@signalbox/core';

/** Sessions and runs by their events, including those of other processes and from before the start. */
export type SessionRegistry = {
  /** Running ones first, then the most recently ended; at most 200. */
  list(): readonly SessionView[];
  get(id: SessionId): SessionView | null;
  /** Running ones first, then the most recently started; at most 200. */
  runs(): readonly RunView[];
  run(id: RunId): RunView | null;
  close(): void;
};

const MAX_SESSIONS = 200;

/**
 * Reads the sessions in the log once, then follows it.
 *
 * @param isGone whether a run or session that seems to run has no process: its coordinator was killed
 */
export async function openSessionRegistry(
  events: EventLog,
  isGone: (id: SessionId | RunId) => boolean,
): Promise<SessionRegistry> {
  const sessions = new Map<SessionId, SessionView>();
  const runs = new Map<RunId, RunView>();
  const early: Event[] = [];
  let receive = (event: Event): unknown => early.push(event);
  const unsubscribe = events.subscribe((event) => receive(event));

  function take(event: Event): void {
    if ('commandId' in event) return;
    if ('sessionId' in event) put(sessions, sessionAfter(sessions.get(event.sessionId), event));
    else if ('runId' in event) put(runs, runAfter(runs.get(event.runId), event));
  }

  let seen: EventId | null = null;
  await events.eachOfSessions((event) => {
    take(event);
    seen = event.id;
  });
  for (const event of early) if (seen === null || isAfter(event.id, seen)) take(event);
  receive = take;

  const session = (view: SessionView): SessionView =>
    view.state === 'running' && isGone(view.id)
      ? {
          ...view,
          state: 'ended',
          needsTurns: false,
          criticalFailure: null,
          isResting: false,
          waitsFor: null,
          finish: 'lost',
          message: 'Its coordinator has stopped',
        }
      : view;
  const run = (view: RunView): RunView =>
    view.state === 'running' && isGone(view.id) ? { ...view, state: 'lost' } : view;
  return {
    list: () => runningFirst([...sessions.values()].map(session)),
    get: (id) => mapped(sessions.get(id), session),
    runs: () => runningFirst([...runs.values()].map(run)),
    run: (id) => mapped(runs.get(id), run),
    close: unsubscribe,
  };
}

function put<Id, View extends { readonly id: Id }>(views: Map<Id, View>, view: View | undefined): void {
  if (view === undefined) return;
  views.set(view.id, view);
  for (const oldest of views.keys()) if (views.size > MAX_SESSIONS) views.delete(oldest);
}

function mapped<View>(view: View | undefined, seen: (view: View) => View): View | null {
  return view === undefined ? null : seen(view);
}

function runningFirst<View extends { readonly state: string; readonly startedAt: number }>(
  views: readonly View[],
): readonly View[] {
  return views.toSorted(
    (a, b) => Number(b.state === 'running') - Number(a.state === 'running') || b.startedAt - a.startedAt,
  );
}
