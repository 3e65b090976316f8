import { addUsage, type Event, type EventId, type EventLog, NO_USAGE, type SessionId } from '@signalbox/core';
import { isAfter } from '../events/is-after.ts';
import type { SessionView } from './session-view.ts';

/** Sessions as the events tell of them: those of other processes and of before the start too. */
export type SessionBook = {
  /** Running ones first, then the last to end; at most 200. */
  list(): readonly SessionView[];
  get(id: SessionId): SessionView | null;
  close(): void;
};

const MOST_SESSIONS = 200;

/** Reads the whole log once, then follows it. */
export async function openSessionBook(events: EventLog): Promise<SessionBook> {
  const sessions = new Map<SessionId, SessionView>();
  const early: Event[] = [];
  let hear = (event: Event): unknown => early.push(event);
  const unsubscribe = events.subscribe((event) => hear(event));

  function take(event: Event): void {
    if (!('sessionId' in event)) return;
    const next = after(sessions.get(event.sessionId), event);
    if (next === undefined) return;
    sessions.set(next.id, next);
    for (const oldest of sessions.keys()) if (sessions.size > MOST_SESSIONS) sessions.delete(oldest);
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

  return {
    list: () =>
      [...sessions.values()].toSorted(
        (a, b) => Number(b.state === 'running') - Number(a.state === 'running') || b.startedAt - a.startedAt,
      ),
    get: (id) => sessions.get(id) ?? null,
    close: unsubscribe,
  };
}

function after(session: SessionView | undefined, event: Event): SessionView | undefined {
  if (event.type === 'session_started') {
    const { sessionId, provider, model, task, at } = event;
    return {
      id: sessionId,
      provider,
      model,
      task,
      state: 'running',
      turns: 0,
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
  return { ...session, state: 'ended', finish, message, turns, usage, costUsd, endedAt: at };
}
