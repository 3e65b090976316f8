import { addSavings, NO_SAVINGS, type Savings } from '@signalbox/core';
import type { CommandSummary } from '../command-summary.ts';
import type { SessionView } from '../operations/session.ts';
import type { WorkspaceState } from './workspace-state.ts';

/** A session with its commands. Sessions that no model leads (people, agents, scripts) share one lane per provider. */
export type Lane = Readonly<{
  /** The session's id; a shared lane has another text. */
  id: string;
  provider: string;
  /** Null when no model leads it. */
  session: SessionView | null;
  /** Its commands that are not done, oldest first. */
  open: readonly CommandSummary[];
  /** The command that ended last. */
  last: CommandSummary | null;
}>;

/**
 * Lanes in order of start: sessions of the last run and those that overlap it, every session with an open command, and
 * providers without a session.
 *
 * @param since epoch milliseconds; sessions and commands that ended before have no lane
 */
export function lanesOf(
  { sessions, commands }: Pick<WorkspaceState, 'sessions' | 'commands'>,
  since = 0,
): readonly Lane[] {
  const runSince = lastRunSince([...sessions.values()]);
  const lanes = new Map<string, Lane & Readonly<{ beganAt: number }>>();
  for (const session of sessions.values()) {
    const { id, provider, startedAt: beganAt } = session;
    lanes.set(id, { id, provider, session, open: [], last: null, beganAt });
  }
  for (const command of commands.values()) {
    const { sessionId, provider, endedAt, submittedAt: beganAt } = command;
    const id = sessions.has(sessionId) ? sessionId : `provider ${provider}`;
    const lane = lanes.get(id) ?? { id, provider, session: null, open: [], last: null, beganAt };
    const isLast = endedAt !== null && endedAt > since && endedAt >= (lane.last?.endedAt ?? 0);
    if (command.state !== 'done') lanes.set(id, { ...lane, open: [...lane.open, command] });
    else if (isLast) lanes.set(id, { ...lane, last: command });
  }
  return [...lanes.values()]
    .filter(({ session, open }) => {
      if (session === null || session.state === 'running' || open.length > 0) return true;
      return session.startedAt >= runSince && endOf(session) > since;
    })
    .toSorted((a, b) => a.beganAt - b.beganAt);
}

/** Start of the last run: a session that starts while no other is active begins a new one. */
function lastRunSince(sessions: readonly SessionView[]): number {
  let began = 0;
  let worksUntil = 0;
  for (const session of sessions.toSorted((a, b) => a.startedAt - b.startedAt)) {
    if (session.startedAt >= worksUntil) began = session.startedAt;
    worksUntil = Math.max(worksUntil, endOf(session));
  }
  return began;
}

/** For a session whose coordinator was killed: the time of its last event. */
function endOf({ state, endedAt, since }: SessionView): number {
  return state === 'running' ? Infinity : (endedAt ?? since);
}

/** US dollars of all lanes; null when none has a price. */
export function costOf(lanes: readonly Lane[]): number | null {
  return lanes.reduce<number | null>((sum, { session }) => {
    const costUsd = session?.costUsd ?? null;
    return costUsd === null ? sum : (sum ?? 0) + costUsd;
  }, null);
}

/** What the sessions of these lanes saved. */
export function savedIn(lanes: readonly Lane[]): Savings {
  return lanes.reduce((sum, { session }) => addSavings(sum, session?.saved ?? NO_SAVINGS), NO_SAVINGS);
}
