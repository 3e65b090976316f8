import type { CommandId, Event, ProviderId, SessionId } from '@signalbox/core';

/** A session on the screen. */
export type Lane = Readonly<{
  sessionId: SessionId;
  provider: ProviderId;
  turn: number;
  costUsd: number | null;
  /** Since when it does what it does, epoch ms. */
  since: number;
  /** How it finished; null while it works. */
  finish: string | null;
  /** What the model said last, one line. */
  says: string;
  /** When a failed turn is tried again, epoch ms. */
  retryAt: number | null;
}>;

/** A command that is not done. */
export type LiveCommand = Readonly<{
  id: CommandId;
  sessionId: SessionId;
  provider: ProviderId;
  title: string;
  state: 'submitted' | 'asks' | 'waits' | 'runs';
  since: number;
  blockers: readonly CommandId[];
}>;

/** What a run looks like at this moment, folded from its events. */
export type RunState = Readonly<{
  startedAt: number;
  lanes: ReadonlyMap<SessionId, Lane>;
  commands: ReadonlyMap<CommandId, LiveCommand>;
  ended: Ended;
}>;

/** How commands ended; a rejected stale write is no failure, since the session reads again and redoes it. */
export type Ended = Readonly<{ done: number; failed: number; stale: number }>;

/** `12 done`, `1 failed`, `2 stale`; the last two only where there are any. */
export function endedWords({ done, failed, stale }: Ended): readonly string[] {
  return [
    `${done} done`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(stale === 0 ? [] : [`${stale} stale`]),
  ];
}

export function newRunState(startedAt: number): RunState {
  return { startedAt, lanes: new Map(), commands: new Map(), ended: { done: 0, failed: 0, stale: 0 } };
}

/** The state after one more event; costs the same however long the run is. */
export function foldRun(state: RunState, event: Event): RunState {
  switch (event.type) {
    case 'session_started':
      return withLane(state, event.sessionId, {
        sessionId: event.sessionId,
        provider: event.provider,
        turn: 0,
        costUsd: null,
        since: event.at,
        finish: null,
        says: '',
        retryAt: null,
      });
    case 'turn_started':
      return changeLane(state, event.sessionId, { turn: event.turn, since: event.at, retryAt: null });
    case 'turn_ended':
      return changeLane(state, event.sessionId, {
        since: event.at,
        says: event.says,
        costUsd: added(state.lanes.get(event.sessionId)?.costUsd ?? null, event.costUsd),
      });
    case 'turn_failed':
      return changeLane(state, event.sessionId, {
        retryAt: event.retryInMs === null ? null : event.at + event.retryInMs,
      });
    case 'session_ended':
      return changeLane(state, event.sessionId, {
        finish: event.finish,
        since: event.at,
        costUsd: event.costUsd,
      });
    case 'command_submitted':
      return withCommand(state, {
        id: event.commandId,
        sessionId: event.sessionId,
        provider: event.provider,
        title: event.title,
        state: 'submitted',
        since: event.at,
        blockers: [],
      });
    case 'approval_requested':
      return changeCommand(state, event.commandId, { state: 'asks', since: event.at, title: event.title });
    case 'command_queued':
      return changeCommand(state, event.commandId, {
        state: 'waits',
        since: event.at,
        title: event.title,
        blockers: event.blockers,
      });
    case 'command_started':
      return changeCommand(state, event.commandId, {
        state: 'runs',
        since: event.at,
        title: event.title,
        blockers: [],
      });
    case 'command_completed':
      return withoutCommand(state, event.commandId, 'done');
    case 'command_failed':
      return withoutCommand(state, event.commandId, event.outcome === 'conflict' ? 'stale' : 'failed');
    case 'command_denied':
    case 'command_cancelled':
      return withoutCommand(state, event.commandId, null);
    case 'turns_requested':
    case 'turns_granted':
    case 'run_started':
    case 'run_ended':
    case 'command_classified':
    case 'approval_counted':
    case 'approval_overdue':
    case 'approval_extended':
    case 'command_prioritized':
    case 'command_approved':
    case 'command_output':
    case 'command_rolled_back':
    case 'network_connection':
    case 'tool_call_start':
    case 'tool_call_result':
    case 'mode_changed':
    case 'coordinator_started':
    case 'coordinator_stopped':
    case 'warning_raised':
    case 'warning_cleared':
      return state;
  }
}

/** Whom it still waits for: who has ended meanwhile stands in nobody's way. */
export function liveBlockers({ blockers }: LiveCommand, { commands }: RunState): readonly LiveCommand[] {
  return blockers.flatMap((id) => commands.get(id) ?? []);
}

/** US dollars of all lanes; null where none has a price. */
export function costOf(state: RunState): number | null {
  return [...state.lanes.values()].reduce<number | null>((sum, { costUsd }) => added(sum, costUsd), null);
}

function added(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}

function withLane(state: RunState, id: SessionId, lane: Lane): RunState {
  return { ...state, lanes: new Map(state.lanes).set(id, lane) };
}

function changeLane(state: RunState, id: SessionId, change: Partial<Lane>): RunState {
  const lane = state.lanes.get(id);
  return lane === undefined ? state : withLane(state, id, { ...lane, ...change });
}

function withCommand(state: RunState, command: LiveCommand): RunState {
  return { ...state, commands: new Map(state.commands).set(command.id, command) };
}

function changeCommand(state: RunState, id: CommandId, change: Partial<LiveCommand>): RunState {
  const command = state.commands.get(id);
  return command === undefined ? state : withCommand(state, { ...command, ...change });
}

function withoutCommand(state: RunState, id: CommandId, counts: keyof Ended | null): RunState {
  const commands = new Map(state.commands);
  commands.delete(id);
  const { ended } = state;
  return { ...state, commands, ended: counts === null ? ended : { ...ended, [counts]: ended[counts] + 1 } };
}
