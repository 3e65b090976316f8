import { isAfter } from '@signalbox/api';
import type { CommandId, Event, SessionId } from '@signalbox/core';
import { foldRun } from '../run/run-state.ts';
import { type Glance, GLANCES, glanceOfFailure } from '../screen/icon.ts';
import { fromSnapshot } from './fold-snapshot.ts';
import { NO_OUTPUT, withOutput } from './output-tail.ts';
import type { LinkNews } from './link-news.ts';
import { type WatchState, withCounted, withDetail, withLaneOf } from './watch-state.ts';

const MOST_EVENTS = 1000;
const MOST_OUTPUTS = 50;

/** The state after what the link told. */
export function foldNews(state: WatchState, news: LinkNews, now: number): WatchState {
  switch (news.kind) {
    case 'snapshot':
      return fromSnapshot(state, news, now);
    case 'event':
      return foldEvent(state, news.event);
    case 'away':
      return { ...state, connection: { kind: 'away', since: news.asOf, why: news.why } };
    case 'broken': {
      const since = state.connection.kind === 'broken' ? state.connection.since : news.at;
      return {
        ...state,
        connection: { kind: 'broken', since, nextTryAt: news.nextTryAt, why: news.why },
      };
    }
  }
}

function foldEvent(state: WatchState, event: Event): WatchState {
  if (event.type === 'command_output') return foldOutput(state, event);
  const told = { ...state, events: [...state.events.slice(1 - MOST_EVENTS), event] };
  if (state.upTo !== null && !isAfter(event.id, state.upTo)) return withOneCaughtUp(told);
  return foldPresent(told, event);
}

/** A snapshot taken after a break holds what this event did already. */
function withOneCaughtUp(state: WatchState): WatchState {
  const { connection } = state;
  if (connection.kind !== 'connected') return state;
  return { ...state, connection: { ...connection, caughtUp: connection.caughtUp + 1 } };
}

/** Whether it tells of one that waited behind those that the server listed. */
function leavesQueue(event: Event & { commandId: CommandId }, { unlisted, run }: WatchState): boolean {
  if (unlisted === 0 || run.commands.has(event.commandId)) return false;
  return event.type === 'command_started' || event.type === 'command_cancelled';
}

function foldPresent(before: WatchState, event: Event): WatchState {
  if (event.type === 'mode_changed') return { ...before, mode: event.to };
  if (event.type === 'session_started') {
    const state = withoutEarlierRun(before);
    return { ...state, run: foldRun(state.run, event) };
  }
  if (!('commandId' in event) || !('sessionId' in event))
    return { ...before, run: foldRun(before.run, event) };
  const { state, sessionId } = withLaneOf(before, event.sessionId, event.provider, event.at);
  const unlisted = leavesQueue(event, before) ? before.unlisted - 1 : before.unlisted;
  const folded = { ...state, unlisted, run: foldRun(state.run, { ...event, sessionId }) };
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- most events change the lanes alone, which foldRun does
  switch (event.type) {
    case 'command_classified':
      return withDetail(folded, event.commandId, { level: event.verdict.level });
    case 'approval_requested': {
      const { reason, level, expiresAt } = event;
      return withDetail(folded, event.commandId, { asked: { reason, level, expiresAt } });
    }
    case 'approval_extended': {
      const { expiresAt } = event;
      const asked = folded.details.get(event.commandId)?.asked ?? null;
      return asked === null
        ? folded
        : withDetail(folded, event.commandId, { asked: { ...asked, expiresAt } });
    }
    case 'command_approved':
      return withDetail(folded, event.commandId, { asked: null });
    case 'command_queued':
      return withDetail(folded, event.commandId, { claims: event.claims, asked: null });
    case 'command_started':
      return withDetail(folded, event.commandId, {
        claims: event.claims,
        fencingToken: event.fencingToken,
        asked: null,
      });
    case 'command_completed':
      return withCounted(withEnding(folded, sessionId, event, GLANCES.completed, ''), 'done');
    case 'command_failed':
      return withCounted(
        withEnding(folded, sessionId, event, glanceOfFailure(event.outcome), event.message),
        event.outcome === 'conflict' ? 'stale' : 'failed',
      );
    case 'command_denied':
      return withEnding(folded, sessionId, event, GLANCES.refused, event.reason);
    case 'command_cancelled':
      return withEnding(folded, sessionId, event, GLANCES.cancelled, event.reason);
    default:
      return folded;
  }
}

/** When a session begins and none is at work, those that have ended were of an earlier run. */
function withoutEarlierRun(state: WatchState): WatchState {
  const loose = new Set(state.loose.values());
  const lanes = [...state.run.lanes.values()];
  const isAtWork = lanes.some(({ sessionId, finish }) => finish === null && !loose.has(sessionId));
  if (isAtWork) return state;
  const kept = lanes.filter(({ finish }) => finish === null).map((lane) => [lane.sessionId, lane] as const);
  return { ...state, run: { ...state.run, lanes: new Map(kept) } };
}

function foldOutput(state: WatchState, event: Event & { readonly type: 'command_output' }): WatchState {
  const before = state.outputs.get(event.commandId) ?? NO_OUTPUT;
  const outputs = new Map(state.outputs);
  outputs.delete(event.commandId);
  outputs.set(event.commandId, withOutput(before, event.stream, event.output));
  const [oldest] = outputs.keys();
  if (outputs.size > MOST_OUTPUTS && oldest !== undefined) outputs.delete(oldest);
  return { ...state, outputs };
}

function withEnding(
  state: WatchState,
  sessionId: SessionId,
  { commandId, title }: Readonly<{ commandId: CommandId; title: string }>,
  glance: Glance,
  note: string,
): WatchState {
  const details = new Map(state.details);
  details.delete(commandId);
  const last = { id: commandId, title, glance, note };
  return { ...state, details, lastOf: new Map(state.lastOf).set(sessionId, last) };
}
