import {
  addUsage,
  type CallHash,
  type CommandId,
  type CommandRecord,
  type Event,
  EventId,
  FencingToken,
  type Mode,
  addSavings,
  NO_USAGE,
  type NewEvent,
  type OutcomeKind,
  type Verdict,
  pathResource,
  writeClaim,
} from '@signalbox/core';
import { aCommandId, aCommandRecord, aProviderId, aSessionId, ended } from '@signalbox/core/testing';
import type { SessionView } from '../operations/session.ts';
import type { Snapshot } from '../operations/workspace.ts';
import { aCommandView, aSessionView, aSnapshot } from './builders.ts';

/** One step: the command, session or mode it affects, and which of its possible transitions. */
export type SimulatedStep = Readonly<{ of: number; way: number }>;

const COMMANDS = 5;
const claims = [writeClaim(pathResource('a.ts'))];
const verdict: Verdict = {
  level: 'warning',
  reasons: [],
  effects: [],
  runsRepositoryCode: false,
  composed: false,
};
const usage = { ...NO_USAGE, inputTokens: 3, outputTokens: 2 };
const WAYS_TO_END: readonly OutcomeKind[] = ['completed', 'failed', 'timed_out', 'conflict', 'lost'];

/** A small workspace by its records, as a server has them: the events of each step, and a snapshot after it. */
export function simulate(
  steps: readonly SimulatedStep[],
): Readonly<{ events: readonly Event[]; snapshots: readonly Snapshot[] }> {
  const records = new Map<CommandId, CommandRecord>();
  const blockers = new Map<CommandId, readonly CommandId[]>();
  let sessions: readonly SessionView[] = [];
  let mode: Snapshot['mode'] = aSnapshot().mode;
  const events: Event[] = [];
  const snapshots = [snapshotNow()];

  function tell(event: NewEvent): void {
    events.push({ ...event, id: EventId.parse(`${events.length + 1}-0`), at: now() });
  }

  function now(): number {
    return 1000 * (events.length + 1);
  }

  function snapshotNow(): Snapshot {
    const lastEventId = events.at(-1)?.id ?? null;
    const waiting = [...records.values()].filter(({ state }) => state === 'queued');
    return aSnapshot({
      lastEventId,
      mode,
      sessions,
      commands: [...records.values()].toReversed().map(aCommandView),
      queue: {
        leases: [],
        counts: [{ state: 'queued', provider: aProviderId(), commands: waiting.length }],
        waiting: waiting.map((record) => ({
          commandId: record.id,
          provider: aProviderId(),
          claims: record.claims,
          priority: 100,
          since: record.queuedAt ?? 0,
          blockers: (blockers.get(record.id) ?? []).filter((id) => records.get(id)?.state !== 'done'),
        })),
      },
    });
  }

  function stepCommand(id: CommandId, way: number): void {
    const record = records.get(id);
    if (record === undefined) {
      const begun = aCommandRecord({ id, submittedAt: now() });
      records.set(id, begun);
      return tell({ type: 'command_submitted', ...namesOf(begun), tool: begun.call.tool });
    }
    const names = namesOf(record);
    const put = (change: Partial<CommandRecord>): unknown => records.set(id, { ...record, ...change });
    switch (record.state) {
      case 'submitted':
        put({ state: 'classified', verdict });
        return tell({ type: 'command_classified', ...names, verdict });
      case 'classified':
        if (way % 2 === 0) return approve(record, 'auto');
        put({ state: 'awaiting_approval', approval: questionOf(now()) });
        return tell({ type: 'approval_requested', ...names, ...asked, expiresAt: now() + 1000, reason: '' });
      case 'awaiting_approval':
        return way % 3 === 0 ? end(record, 'cancelled') : approve(record, by);
      case 'approved': {
        const before = [...records.values()].filter(({ state }) => state === 'running').map((one) => one.id);
        blockers.set(id, before);
        put({ state: 'queued', claims, queuedAt: now() });
        return tell({ type: 'command_queued', ...names, claims, blockers: before });
      }
      case 'queued':
        return way % 4 === 0 ? end(record, 'cancelled') : start(record);
      case 'running':
        return end(record, WAYS_TO_END[way % WAYS_TO_END.length] ?? 'completed');
      case 'done':
        // The same event again, as a stream may send after a reconnect.
        return tell({
          type: 'command_output',
          commandId: id,
          provider: names.provider,
          stream: 'stdout',
          output: '',
        });
    }
  }

  function approve(record: CommandRecord, who: 'auto' | typeof by): void {
    records.set(record.id, { ...record, state: 'approved', approval: null });
    tell({ type: 'command_approved', ...namesOf(record), by: who, rule: 'r', modified: false });
  }

  function start(record: CommandRecord): void {
    const fencingToken = FencingToken.parse(events.length + 1);
    const lease = { ...leaseOf(record), fencingToken };
    records.set(record.id, { ...record, state: 'running', startedAt: now(), lease });
    const reported = { command: '', pid: 1, fencingToken, claims, waitedMs: 0 };
    tell({ type: 'command_started', ...namesOf(record), ...reported });
  }

  function end(record: CommandRecord, how: OutcomeKind): void {
    // As in the store, what was cancelled while its approval was pending keeps it.
    const done = ended(record, { outcome: how, endedAt: now() });
    records.set(record.id, done);
    const failure = done.result?.failure;
    const names = { ...namesOf(record), tool: 'bash', durationMs: 1, latencyMs: 1 };
    if (how === 'completed') return tell({ type: 'command_completed', ...names, exitCode: null });
    if (how === 'cancelled')
      return tell({ type: 'command_cancelled', ...names, reason: failure?.message ?? '' });
    if (how === 'denied' || how === 'blocked') return;
    const reason = how === 'timed_out' ? 'timeout' : (failure?.code ?? '');
    const why = { exitCode: null, reason, message: failure?.message ?? '' };
    tell({ type: 'command_failed', ...names, outcome: how, ...why });
  }

  function stepSession(way: number): void {
    const ids = { sessionId: aSessionId('led'), provider: aProviderId() };
    const [session] = sessions;
    if (session === undefined) {
      sessions = [aSessionView({ id: ids.sessionId, startedAt: now() })];
      return tell({ type: 'session_started', ...ids, model: 'm-1', task: 'mend the tests' });
    }
    if (way % 5 === 0) {
      const { turns, costUsd } = session;
      const over = { finish: 'finished', message: '', endedAt: now(), since: now(), retryAt: null };
      sessions = [{ ...session, ...over, state: 'ended', needsTurns: false }];
      const { finish, message } = over;
      return tell({ type: 'session_ended', ...ids, finish, message, turns, usage: session.usage, costUsd });
    }
    if (way % 7 === 1) {
      sessions = [{ ...session, since: now(), retryAt: now() + 500 }];
      const reported = { attempt: 1, kind: 'overloaded', message: 'busy', retryInMs: 500 };
      return tell({ type: 'turn_failed', ...ids, turn: session.turns, ...reported });
    }
    if (way % 7 === 2) {
      sessions = [{ ...session, since: now(), retryAt: null }];
      return tell({ type: 'turn_started', ...ids, turn: session.turns + 1, attempt: 1 });
    }
    if (way % 5 === 1) {
      sessions = [{ ...session, needsTurns: true }];
      return tell({ type: 'turns_requested', ...ids, turns: session.turns });
    }
    if (way % 7 === 3) {
      const context = { ...session.context, tokens: 4, compressions: session.context.compressions + 1 };
      const saved = { tokens: { filters: 0, offers: 0, compressions: 5 }, calls: 0, ms: 0 };
      sessions = [{ ...session, context, saved: addSavings(session.saved, saved) }];
      const done = { method: 'triggered', how: 'cut', reason: 'full', summary: '', removed: 0 } as const;
      const tokens = { beforeTokens: 9, afterTokens: 4 };
      return tell({ type: 'context_compressed', ...ids, turn: session.turns, ...done, ...tokens });
    }
    if (way % 7 === 4) {
      const spent = { usage: addUsage(session.usage, usage), costUsd: (session.costUsd ?? 0) + 1 };
      sessions = [{ ...session, ...spent }];
      const asked = { purpose: 'compress', asked: ids.provider, model: 'm-1', durationMs: 1 } as const;
      const answer = { success: true, message: '', usage, costUsd: 1 };
      return tell({ type: 'model_request_ended', ...ids, ...asked, ...answer });
    }
    const turn = session.turns + 1;
    const says = way % 2 === 0 ? `turn ${turn}` : '';
    sessions = [
      {
        ...session,
        turns: turn,
        calls: session.calls + 1,
        context: { ...session.context, tokens: 5 },
        usage: addUsage(session.usage, usage),
        costUsd: (session.costUsd ?? 0) + 1,
        says: says === '' ? session.says : says,
        since: now(),
        retryAt: null,
      },
    ];
    tell({ type: 'turn_ended', ...ids, turn, says, calls: 1, usage, costUsd: 1 });
  }

  function stepMode(way: number): void {
    const to: Mode = way % 2 === 0 ? 'ALERT' : 'NORMAL';
    const back = way % 3 === 0 ? { back: { at: now() + 1000, to: 'NORMAL' as const } } : {};
    const from = mode.mode;
    mode = { mode: to, since: now(), by: 'ana', reason: 'a test', ...back };
    tell({ type: 'mode_changed', from, to, by: 'ana', reason: 'a test', ...back });
  }

  for (const { of, way } of steps) {
    const place = of % (COMMANDS + 2);
    if (place === COMMANDS) stepSession(way);
    else if (place > COMMANDS) stepMode(way);
    else stepCommand(aCommandId(`c${place}`), way);
    snapshots.push(snapshotNow());
  }
  return { events, snapshots };
}

const by = { name: 'ana', channel: 'test' } as const;
const callHash = 'a'.repeat(64) as CallHash;
const asked = { level: 'warning', callHash, approvers: 1 } as const;

function questionOf(at: number): CommandRecord['approval'] {
  const none = { grants: [], again: [], base: { files: [], unbound: [] } };
  return { status: 'pending', callHash, requestedAt: at, expiresAt: at + 1000, approvers: 1, ...none };
}

function leaseOf({ id, context }: CommandRecord): NonNullable<CommandRecord['lease']> {
  const leaseId = `lse_a${id.slice(5)}` as NonNullable<CommandRecord['lease']>['leaseId'];
  const term = { grantedAt: 0, expiresAt: 0, fencingToken: FencingToken.parse(1) };
  return { leaseId, commandId: id, provider: context.provider, claims, ...term };
}

function namesOf({ id, context, title }: CommandRecord) {
  return { commandId: id, sessionId: context.sessionId, provider: context.provider, title };
}
