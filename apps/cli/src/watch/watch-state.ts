import type { Claim, CommandId, Event, EventId, Level, Mode, ProviderId, SessionId } from '@signalbox/core';
import { type Ended, type Lane, type LiveCommand, newRunState, type RunState } from '../run/run-state.ts';
import type { Glance } from '../screen/icon.ts';
import type { OutputTail } from './output-tail.ts';

/** What is known of a command that is not done, besides what a lane shows. */
export type Detail = Readonly<{
  claims: readonly Claim[];
  /** Null until it is judged. */
  level: Level | null;
  fencingToken: number | null;
  /** Of its open question. */
  asked: Readonly<{ reason: string; level: Level; expiresAt: number }> | null;
}>;

/** How the last command of a lane ended. */
export type Ending = Readonly<{ id: CommandId; title: string; glance: Glance; note: string }>;

/** Whether what is shown is the present. */
export type Connection =
  | Readonly<{ kind: 'first-try' }>
  | Readonly<{ kind: 'connected'; since: number; after: 'start' | 'break' | 'gap'; caughtUp: number }>
  /** The server tells what it knew at that time: its backend does not answer. */
  | Readonly<{ kind: 'away'; since: number; why: string }>
  | Readonly<{ kind: 'broken'; since: number; nextTryAt: number; why: string }>;

/** All that the screen shows, folded from a snapshot and the events after it. */
export type WatchState = Readonly<{
  workspace: string;
  /** What the server calls who looks, and what they may do there; empty before it has answered. */
  you: Readonly<{ name: string; role: string }>;
  mode: Mode;
  isolation: string;
  /** How many commands run at once; null before the server has answered. */
  places: number | null;
  connection: Connection;
  run: RunState;
  /** Sessions that no model leads (people, agents, scripts) share one lane for each provider. */
  loose: ReadonlyMap<ProviderId, SessionId>;
  details: ReadonlyMap<CommandId, Detail>;
  lastOf: ReadonlyMap<SessionId, Ending>;
  outputs: ReadonlyMap<CommandId, OutputTail>;
  /** The last ones, oldest first, without outputs. */
  events: readonly Event[];
  /** How commands ended, of those that the snapshot told and from then on; whether there were others before them. */
  ended: Ended & Readonly<{ hasOlder: boolean }>;
  /** Commands that wait behind those that the server listed. */
  unlisted: number;
  /** The last event that the snapshot knew. */
  upTo: EventId | null;
}>;

const NO_DETAIL: Detail = { claims: [], level: null, fencingToken: null, asked: null };

export function newWatchState(now: number): WatchState {
  return {
    workspace: '',
    you: { name: '', role: '' },
    mode: 'NORMAL',
    isolation: '',
    places: null,
    connection: { kind: 'first-try' },
    run: newRunState(now),
    loose: new Map(),
    details: new Map(),
    lastOf: new Map(),
    outputs: new Map(),
    events: [],
    ended: { done: 0, failed: 0, stale: 0, hasOlder: false },
    unlisted: 0,
    upTo: null,
  };
}

/** Whether an answer to a question would count now. */
export function canAnswer({ connection, you }: WatchState): boolean {
  return connection.kind === 'connected' && (you.role === 'operator' || you.role === 'approver');
}

/** Whether a cancel or an undo would be done now; a provider may cancel what is its own. */
export function canOperate({ connection, you }: WatchState): boolean {
  return connection.kind === 'connected' && (you.role === 'operator' || you.role === 'provider');
}

/** One more command that ended so. */
export function withCounted(state: WatchState, how: keyof Ended): WatchState {
  return { ...state, ended: { ...state.ended, [how]: state.ended[how] + 1 } };
}

/** Those that wait for a person. */
export function askingIn({ run }: WatchState): readonly LiveCommand[] {
  return [...run.commands.values()].filter(({ state }) => state === 'asks');
}

export function withDetail(state: WatchState, id: CommandId, change: Partial<Detail>): WatchState {
  const details = new Map(state.details);
  details.set(id, { ...NO_DETAIL, ...details.get(id), ...change });
  return { ...state, details };
}

/** The lane that a command of that session stands in, made where there is none. */
export function withLaneOf(
  state: WatchState,
  sessionId: SessionId,
  provider: ProviderId,
  at: number,
): Readonly<{ state: WatchState; sessionId: SessionId }> {
  if (state.run.lanes.has(sessionId)) return { state, sessionId };
  const shared = state.loose.get(provider);
  if (shared !== undefined) return { state, sessionId: shared };
  const lanes = new Map(state.run.lanes).set(sessionId, laneOf(sessionId, provider, at));
  return {
    state: {
      ...state,
      run: { ...state.run, lanes },
      loose: new Map(state.loose).set(provider, sessionId),
    },
    sessionId,
  };
}

function laneOf(sessionId: SessionId, provider: ProviderId, since: number): Lane {
  return { sessionId, provider, turn: 0, costUsd: null, since, finish: null, says: '', retryAt: null };
}
