import { isAfter, type RunView, type SessionView } from '@signalbox/api';
import {
  addUsage,
  type Event,
  type EventId,
  type EventLog,
  NO_USAGE,
  type RunId,
  type SessionId,
} from '@signalbox/core';

/** Sessions and runs as the events tell of them: those of other processes and of before the start too. */
export type SessionBook = {
  /** Running ones first, then the last to end; at most 200. */
  list(): readonly SessionView[];
  get(id: SessionId): SessionView | null;
  /** Running ones first, then the last to begin; at most 200. */
  runs(): readonly RunView[];
  run(id: RunId): RunView | null;
  close(): void;
};

const MOST = 200;

/**
 * Reads the whole log once, then follows it.
 *
 * @param isGone whether what seems to run has no process any more: its coordinator was killed
 */
export async function openSessionBook(
  events: EventLog,
  isGone: (id: SessionId | RunId) => boolean,
): Promise<SessionBook> {
  const sessions = new Map<SessionId, SessionView>();
  const runs = new Map<RunId, RunView>();
  const early: Event[] = [];
  let hear = (event: Event): unknown => early.push(event);
  const unsubscribe = events.subscribe((event) => hear(event));

  function take(event: Event): void {
    if ('sessionId' in event) put(sessions, after(sessions.get(event.sessionId), event));
    else if ('runId' in event) put(runs, runAfter(runs.get(event.runId), event));
  }

  let last: EventId | null = null;
  for (;;) {
    const page = await events.since(last);
    const read = page.kind === 'events' ? page.events : [];
    for (const event of read) take(event);
    const end = read.at(-1);
    if (end === undefined) break;
    last = end.id;
  }
  const seen = last;
  for (const event of early) if (seen === null || isAfter(event.id, seen)) take(event);
  hear = take;

  const session = (view: SessionView): SessionView =>
    view.state === 'running' && isGone(view.id)
      ? { ...view, state: 'ended', needsTurns: false, finish: 'lost', message: 'Its coordinator has ended' }
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
  for (const oldest of views.keys()) if (views.size > MOST) views.delete(oldest);
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

function after(session: SessionView | undefined, event: Event): SessionView | undefined {
  if (event.type === 'session_started') {
    const { sessionId, runId = null, provider, model, task, at } = event;
    return {
      id: sessionId,
      runId,
      provider,
      model,
      task,
      state: 'running',
      turns: 0,
      needsTurns: false,
      calls: 0,
      usage: NO_USAGE,
      costUsd: null,
      says: '',
      startedAt: at,
      endedAt: null,
      finish: null,
      message: null,
    };
  }
  if (session === undefined) return undefined;
  if (event.type === 'turns_requested') return { ...session, needsTurns: true };
  if (event.type === 'turns_granted') return { ...session, needsTurns: false };
  if (event.type === 'turn_ended') {
    const { turn, calls, usage, costUsd, says } = event;
    return {
      ...session,
      turns: turn,
      calls: session.calls + calls,
      usage: addUsage(session.usage, usage),
      costUsd: costUsd === null ? session.costUsd : (session.costUsd ?? 0) + costUsd,
      says: says === '' ? session.says : says,
    };
  }
  if (event.type !== 'session_ended') return undefined;
  const { finish, message, turns, usage, costUsd, at } = event;
  return {
    ...session,
    state: 'ended',
    needsTurns: false,
    finish,
    message,
    turns,
    usage,
    costUsd,
    endedAt: at,
  };
}

export function runAfter(run: RunView | undefined, event: Event): RunView | undefined {
  if (event.type === 'run_started') {
    const { runId: id, id: firstEvent, at: startedAt, by, sessions, until, untilSession, budgetUsd } = event;
    return {
      id,
      by,
      state: 'running',
      sessions,
      until,
      untilSession,
      budgetUsd,
      startedAt,
      endedAt: null,
      firstEvent,
      result: null,
      stoppedBy: null,
    };
  }
  if (run === undefined || event.type !== 'run_ended') return undefined;
  return { ...run, state: 'ended', endedAt: event.at, result: event.until, stoppedBy: event.stoppedBy };
}
