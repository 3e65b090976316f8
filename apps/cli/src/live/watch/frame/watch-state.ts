import {
  applyEvents,
  newEvents,
  newWorkspaceState,
  type WorkspaceState,
  workspaceStateOf,
} from '@signalbox/api';
import type { Event } from '@signalbox/core';
import type { ConnectionUpdate } from './connection-update.ts';
import { NO_OUTPUT, type OutputTail, withOutput } from './output-tail.ts';

/** Whether the screen is current. */
export type ConnectionState =
  | Readonly<{ kind: 'first-try' }>
  | Readonly<{ kind: 'connected'; since: number; after: 'start' | 'break' | 'gap'; caughtUp: number }>
  /** The server reports its last known state: its backend does not answer. */
  | Readonly<{ kind: 'away'; since: number; why: string }>
  | Readonly<{ kind: 'broken'; since: number; nextTryAt: number; why: string }>;

/** The state of the workspace, and what only this screen knows. */
export type WatchState = WorkspaceState &
  Readonly<{
    connection: ConnectionState;
    /** Commands that ended before have no lane, in epoch milliseconds. */
    lanesSince: number;
    /** Ends of outputs, by command. */
    outputs: ReadonlyMap<string, OutputTail>;
    /** The last ones, oldest first, without output. */
    events: readonly Event[];
  }>;

/** How long an idle lane is worth a row at the start, in milliseconds. */
const RECENT_MS = 600_000;
const MAX_EVENTS = 1000;
const MAX_OUTPUTS = 50;

export function newWatchState(): WatchState {
  return {
    ...newWorkspaceState(),
    connection: { kind: 'first-try' },
    lanesSince: 0,
    outputs: new Map(),
    events: [],
  };
}

/** The state after a batch of updates, in order. Consecutive events are applied at once. */
export function watchAfter(
  before: WatchState,
  batch: readonly ConnectionUpdate[],
  { now }: Readonly<{ now: number }>,
): WatchState {
  let state = before;
  let events: Event[] = [];
  for (const update of batch) {
    if (update.kind === 'event') {
      events.push(update.event);
      continue;
    }
    state = afterLink(afterEvents(state, events), now, update);
    events = [];
  }
  return afterEvents(state, events);
}

function afterLink(
  state: WatchState,
  now: number,
  update: Exclude<ConnectionUpdate, { kind: 'event' }>,
): WatchState {
  switch (update.kind) {
    case 'snapshot': {
      const { snapshot, after } = update;
      return {
        ...workspaceStateOf(snapshot),
        connection: { kind: 'connected', since: now, after, caughtUp: 0 },
        lanesSince: snapshot.now - RECENT_MS,
        outputs: state.outputs,
        // Events of an earlier connection are not shown twice; those in the gap are unknown.
        events: after === 'gap' ? [] : state.events,
      };
    }
    case 'away':
      return { ...state, connection: { kind: 'away', since: update.asOf, why: update.why } };
    case 'broken': {
      const { at, nextTryAt, why } = update;
      const since = state.connection.kind === 'broken' ? state.connection.since : at;
      return { ...state, connection: { kind: 'broken', since, nextTryAt, why } };
    }
  }
}

function afterEvents(state: WatchState, events: readonly Event[]): WatchState {
  if (events.length === 0) return state;
  const reported = events.filter(({ type }) => type !== 'command_output');
  return {
    ...state,
    ...applyEvents(state, reported),
    connection: withCaughtUp(state.connection, reported.length - newEvents(state, reported).length),
    outputs: withOutputs(state.outputs, events),
    events: [...state.events, ...reported].slice(-MAX_EVENTS),
  };
}

/** @param known events that a snapshot taken after a break already includes */
function withCaughtUp(connection: ConnectionState, known: number): ConnectionState {
  if (known === 0 || connection.kind !== 'connected') return connection;
  return { ...connection, caughtUp: connection.caughtUp + known };
}

function withOutputs(before: WatchState['outputs'], events: readonly Event[]): WatchState['outputs'] {
  const printed = events.flatMap((event) => (event.type === 'command_output' ? [event] : []));
  if (printed.length === 0) return before;
  const outputs = new Map(before);
  for (const { commandId, stream, output } of printed) {
    const tail = withOutput(outputs.get(commandId) ?? NO_OUTPUT, stream, { text: output });
    outputs.delete(commandId);
    outputs.set(commandId, tail);
    for (const oldest of outputs.keys()) if (outputs.size > MAX_OUTPUTS) outputs.delete(oldest);
  }
  return outputs;
}

/** Whether an answer would be accepted now. */
export function canAnswer({ connection, you }: WatchState): boolean {
  return connection.kind === 'connected' && (you.role === 'operator' || you.role === 'approver');
}

/** Whether a cancel or an undo would be accepted now; a provider may cancel its own commands. */
export function canOperate({ connection, you }: WatchState): boolean {
  return connection.kind === 'connected' && (you.role === 'operator' || you.role === 'provider');
}
