import { RECENT_COMMANDS, type Snapshot } from '@signalbox/api';
import type { CommandId, CommandRecord } from '@signalbox/core';
import { type Lane, type LiveCommand, newRunState } from '../run/run-state.ts';
import { glanceOf, GLANCES } from '../screen/icon.ts';
import type { LinkNews } from './link-news.ts';
import { type WatchState, withCounted, withDetail, withLaneOf } from './watch-state.ts';

/** For how long a lane without work is worth a row at the start, in milliseconds. */
const RECENT_MS = 600_000;

/** The present as the server tells it; events and outputs that were heard before stay on the screen. */
export function fromSnapshot(
  before: WatchState,
  { snapshot, after }: LinkNews & { readonly kind: 'snapshot' },
  now: number,
): WatchState {
  const sessions = recentSessions(snapshot, now);
  const base: WatchState = {
    ...before,
    workspace: snapshot.workspace,
    you: snapshot.you,
    mode: snapshot.mode.mode,
    isolation: snapshot.isolation,
    places: snapshot.limits.maxConcurrent,
    connection: { kind: 'connected', since: now, after, caughtUp: 0 },
    run: {
      ...newRunState(before.run.startedAt),
      lanes: new Map(sessions.map((one) => [one.id, ledLane(one)])),
    },
    loose: new Map(),
    details: new Map(),
    lastOf: new Map(),
    // What an earlier connection told is not shown twice; what came in the gap nobody knows.
    events: after === 'gap' ? [] : before.events,
    ended: { done: 0, failed: 0, stale: 0, hasOlder: snapshot.commands.length >= RECENT_COMMANDS },
    unlisted: unlistedIn(snapshot),
    upTo: snapshot.lastEventId,
  };
  const blockers = new Map(snapshot.queue.waiting.map((entry) => [entry.commandId, entry.blockers]));
  const past = new Set(snapshot.sessions.map(({ id }) => id));
  for (const { id } of sessions) past.delete(id);
  return snapshot.commands.toReversed().reduce((state, record) => {
    // A lane of its own would look as if its session went on.
    const isPast = record.result !== null && past.has(record.context.sessionId);
    return isPast
      ? withEndedRecord(state, record)
      : withRecord(state, record, blockers.get(record.id) ?? [], now);
  }, base);
}

/** Of those that have ended: the last ones, and none of an earlier run while a later one is at work. */
function recentSessions({ sessions }: Snapshot, now: number): Snapshot['sessions'] {
  const begun = sessions.flatMap(({ startedAt, endedAt }) => (endedAt === null ? [startedAt] : []));
  const since = Math.max(now - RECENT_MS, begun.length === 0 ? 0 : Math.min(...begun));
  return sessions.filter(({ endedAt }) => endedAt === null || endedAt > since);
}

function unlistedIn({ queue, commands }: Snapshot): number {
  const queued = queue.counts.filter(({ state }) => state === 'queued');
  const all = queued.reduce((sum, count) => sum + count.commands, 0);
  return Math.max(0, all - commands.filter(({ state }) => state === 'queued').length);
}

function ledLane(session: Snapshot['sessions'][number]): Lane {
  const { id, provider, turns, costUsd, says, startedAt, endedAt, finish } = session;
  const since = endedAt ?? startedAt;
  return { sessionId: id, provider, turn: turns, costUsd, since, finish, says, retryAt: null };
}

function withRecord(
  before: WatchState,
  record: CommandRecord,
  blockers: readonly CommandId[],
  now: number,
): WatchState {
  const { result, context } = record;
  const counted = result === null ? before : withEndedRecord(before, record);
  if (result !== null && (record.endedAt ?? 0) < now - RECENT_MS) return counted;
  const { state, sessionId } = withLaneOf(
    counted,
    context.sessionId,
    context.provider,
    record.endedAt ?? record.submittedAt,
  );
  if (result !== null) {
    const { id, title } = record;
    const ending = { id, title, glance: glanceOf(record), note: result.failure?.message ?? '' };
    return { ...state, lastOf: new Map(state.lastOf).set(sessionId, ending) };
  }
  const commands = new Map(state.run.commands).set(record.id, {
    ...liveCommand(record),
    sessionId,
    blockers,
  });
  const { approval, lease, claims, verdict, ruling } = record;
  return withDetail({ ...state, run: { ...state.run, commands } }, record.id, {
    claims,
    level: verdict?.level ?? null,
    fencingToken: lease?.fencingToken ?? null,
    asked:
      approval?.status === 'pending' && record.state === 'awaiting_approval'
        ? {
            reason: ruling?.reason ?? '',
            level: verdict?.level ?? 'warning',
            expiresAt: approval.expiresAt,
          }
        : null,
  });
}

function withEndedRecord(state: WatchState, record: CommandRecord): WatchState {
  const { icon } = glanceOf(record);
  const isFailed = icon === GLANCES.failed.icon || icon === GLANCES.lost.icon;
  if (record.result?.outcome.kind === 'conflict') return withCounted(state, 'stale');
  if (isFailed) return withCounted(state, 'failed');
  return icon === GLANCES.completed.icon ? withCounted(state, 'done') : state;
}

function liveCommand(record: CommandRecord): Omit<LiveCommand, 'sessionId' | 'blockers'> {
  const { id, title, context, submittedAt, queuedAt, startedAt } = record;
  const of = { id, title, provider: context.provider };
  if (record.state === 'running') return { ...of, state: 'runs', since: startedAt ?? submittedAt };
  if (record.state === 'awaiting_approval') {
    return { ...of, state: 'asks', since: record.approval?.requestedAt ?? submittedAt };
  }
  if (record.state === 'queued') return { ...of, state: 'waits', since: queuedAt ?? submittedAt };
  return { ...of, state: 'submitted', since: submittedAt };
}
