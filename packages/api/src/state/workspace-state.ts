import type { Event } from '@signalbox/core';
import { type SummaryEvent, type CommandSummary, summaryAfter, summaryOf } from '../command-summary.ts';
import { isAfter } from '../operations/events.ts';
import { sessionAfter, type SessionChange } from './session-after.ts';
import type { SessionView } from '../operations/session.ts';
import { type Endings, endingsIn, endingsWith, NO_ENDINGS } from './workspace-state-endings.ts';
import { RECENT_COMMANDS, type Snapshot } from '../operations/workspace.ts';

/** Bound for a client that runs for days; unfinished commands are always kept. */
const MAX_COMMANDS = 2000;
/** As many as a server keeps; running ones are always kept. */
const MAX_SESSIONS = 200;

/** Current state of a workspace: a snapshot, and the events after it. Unchanged parts keep their identity. */
export type WorkspaceState = Readonly<
  Pick<Snapshot, 'workspace' | 'version' | 'you' | 'mode' | 'isolation' | 'limits' | 'lastEventId'> & {
    /** Oldest first. */
    commands: ReadonlyMap<string, CommandSummary>;
    sessions: ReadonlyMap<string, SessionView>;
    /** Number of queued commands behind those that the snapshot listed. */
    unlisted: number;
    ended: Endings;
  }
>;

/** The state before a snapshot, or for a client of events alone: a run is followed from its first event. */
export function newWorkspaceState(): WorkspaceState {
  return {
    workspace: '',
    version: '',
    you: { name: '', role: '' },
    mode: { mode: 'NORMAL', since: 0, by: '', reason: '' },
    isolation: '',
    limits: { maxConcurrent: 0, maxWaitMs: 0, leaseTtlMs: 0 },
    lastEventId: null,
    commands: new Map(),
    sessions: new Map(),
    unlisted: 0,
    ended: NO_ENDINGS,
  };
}

/** State from a snapshot, also after `reset`, when the events in between are unknown. */
export function workspaceStateOf(snapshot: Snapshot): WorkspaceState {
  const { workspace, version, you, mode, isolation, limits, lastEventId, queue } = snapshot;
  const waiting = new Map<string, Snapshot['queue']['waiting'][number]>(
    queue.waiting.map((entry) => [entry.commandId, entry]),
  );
  const commands = snapshot.commands.toReversed().map((view): CommandSummary => {
    const entry = waiting.get(view.id);
    return { ...summaryOf(view), ...(entry && { blockers: entry.blockers, claims: entry.claims }) };
  });
  const queued = queue.counts.reduce(
    (sum, count) => sum + (count.state === 'queued' ? count.commands : 0),
    0,
  );
  const listed = commands.filter(({ state }) => state === 'queued').length;
  return {
    workspace,
    version,
    you,
    mode,
    isolation,
    limits,
    lastEventId,
    commands: new Map(commands.map((command) => [command.id, command])),
    sessions: new Map(snapshot.sessions.map((session) => [session.id, session])),
    unlisted: Math.max(0, queued - listed),
    ended: endingsIn(commands, commands.length >= RECENT_COMMANDS),
  };
}

/** Events that the state does not contain yet: repeated ones, or those from before the snapshot, would turn it back. */
export function newEvents(
  { lastEventId }: Pick<WorkspaceState, 'lastEventId'>,
  events: readonly Event[],
): readonly Event[] {
  let last = lastEventId;
  return events.filter(({ id }) => {
    if (last !== null && !isAfter(id, last)) return false;
    last = id;
    return true;
  });
}

/** The state after these events, in order; known events change nothing. */
export function applyEvents(state: WorkspaceState, events: readonly Event[]): WorkspaceState {
  const fresh = newEvents(state, events);
  const last = fresh.at(-1);
  if (last === undefined) return state;
  const commands = draftOf(state.commands);
  const sessions = draftOf(state.sessions);
  let { mode, unlisted, ended } = state;

  function takeCommand(event: SummaryEvent): void {
    const before = commands.get(event.commandId);
    // It waited behind those that the snapshot listed.
    if (before === undefined && unlisted > 0 && LEAVES_QUEUE.has(event.type)) unlisted -= 1;
    const after = summaryAfter(before, event);
    if (after === undefined) return;
    commands.put(after);
    ended = endingsWith(ended, after);
  }

  function takeSession(event: SessionChange): void {
    const after = sessionAfter(sessions.get(event.sessionId), event);
    if (after !== undefined) sessions.put(after);
  }

  function take(event: Event): void {
    switch (event.type) {
      case 'command_submitted':
      case 'command_classified':
      case 'hallucination_suspect':
      case 'approval_requested':
      case 'question_answered':
      case 'approval_counted':
      case 'approval_overdue':
      case 'approval_extended':
      case 'command_approved':
      case 'command_queued':
      case 'command_prioritized':
      case 'command_started':
      case 'command_output':
      case 'network_connection':
      case 'command_completed':
      case 'command_failed':
      case 'command_denied':
      case 'command_cancelled':
      case 'command_rolled_back':
      case 'gate_decided':
      case 'tool_call_start':
      case 'tool_call_result':
        return takeCommand(event);
      case 'session_started':
      case 'turn_started':
      case 'turn_ended':
      case 'turn_failed':
      case 'requirements_lifted':
      case 'session_resting':
      case 'session_resumed':
      case 'session_waiting':
      case 'message_said':
      case 'turns_requested':
      case 'turns_granted':
      case 'calls_saved':
      case 'context_compressed':
      case 'model_request_ended':
      case 'session_ended':
        return takeSession(event);
      case 'mode_changed': {
        const { to, at, by, reason, back } = event;
        mode = { mode: to, since: at, by, reason, ...(back === undefined ? {} : { back }) };
        return;
      }
      // No screen shows runs or coordinators yet; warnings are shown as they come.
      case 'run_started':
      case 'run_checked':
      case 'run_ended':
      case 'coordinator_started':
      case 'coordinator_stopped':
      case 'warning_raised':
      case 'warning_cleared':
        return;
      default:
        // A type that is missing above does not compile; one of a newer server changes nothing.
        event satisfies never;
    }
  }

  for (const event of fresh) take(event);
  return {
    ...state,
    commands: commands.withMost(MAX_COMMANDS, ({ state: of }) => of === 'done'),
    sessions: sessions.withMost(MAX_SESSIONS, ({ state: of }) => of === 'ended'),
    mode,
    unlisted,
    ended,
    lastEventId: last.id,
  };
}

const LEAVES_QUEUE: ReadonlySet<Event['type']> = new Set(['command_started', 'command_cancelled']);

/** A map that is copied at its first change. */
function draftOf<Value extends Readonly<{ id: string }>>(before: ReadonlyMap<string, Value>) {
  let copy: Map<string, Value> | null = null;
  return {
    get: (id: string): Value | undefined => (copy ?? before).get(id),
    put(value: Value): void {
      copy ??= new Map(before);
      copy.set(value.id, value);
    },
    /** The finished map; of entries that are over, the oldest are dropped. */
    withMost(max: number, isOver: (value: Value) => boolean): ReadonlyMap<string, Value> {
      if ((copy ?? before).size <= max) return copy ?? before;
      copy ??= new Map(before);
      for (const [id, value] of copy) if (copy.size > max && isOver(value)) copy.delete(id);
      return copy;
    },
  };
}
