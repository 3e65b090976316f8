import { type Event, EventId, type NewEvent } from '@signalbox/core';
import { aCommandId, aCommandRecord, aProviderId, aSessionId, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { aCommandView, aSessionView, aSnapshot } from '../testing/builders.ts';
import { blockersOf, commandsIn, longestWaiting, openCommands, sinceOf } from './workspace-state-commands.ts';
import { costOf, lanesOf } from './workspace-state-lanes.ts';
import { applyEvents, newWorkspaceState, type WorkspaceState, workspaceStateOf } from './workspace-state.ts';

const usage = {
  inputTokens: 1,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
};

/** An event at this many seconds. */
type TimedEvent = readonly [at: number, event: NewEvent];

function withIds(events: readonly TimedEvent[]): readonly Event[] {
  return events.map(([at, event], i) => ({ ...event, at: at * 1000, id: EventId.parse(`${i + 1}-0`) }));
}

const session = (name: string) => ({ sessionId: aSessionId(name), provider: aProviderId(name) });
const command = (label: string, name: string) => ({
  commandId: aCommandId(label),
  title: `bash ${label}`,
  ...session(name),
});
const begins = (name: string) =>
  ({ type: 'session_started', ...session(name), model: 'm', task: 't' }) as const;
const ends = (name: string) =>
  ({
    type: 'session_ended',
    ...session(name),
    finish: 'finished',
    message: '',
    turns: 1,
    usage,
    costUsd: 0.5,
  }) as const;
const submits = (label: string, name: string) =>
  ({ type: 'command_submitted', ...command(label, name), tool: 'bash' }) as const;
const starts = (label: string, name: string): NewEvent => ({
  type: 'command_started',
  ...command(label, name),
  command: label,
  pid: 1,
  fencingToken: 1 as never,
  claims: [],
  waitedMs: 0,
});
const queues = (label: string, { name, behind }: Readonly<{ name: string; behind: string }>): NewEvent => ({
  type: 'command_queued',
  ...command(label, name),
  claims: [],
  blockers: [aCommandId(behind)],
});
const completes = (label: string, name: string) =>
  ({
    type: 'command_completed',
    ...command(label, name),
    tool: 'bash',
    durationMs: 1,
    latencyMs: 1,
    exitCode: 1,
  }) as const;

const providersOf = (state: WorkspaceState, since?: number): readonly string[] =>
  lanesOf(state, since).map(({ provider }) => provider);
const after = (...events: readonly TimedEvent[]): WorkspaceState =>
  applyEvents(newWorkspaceState(), withIds(events));

test('a lane holds the open commands of its session, and the one that ended last', () => {
  const state = after(
    [1, begins('a')],
    [2, submits('c1', 'a')],
    [3, submits('c2', 'a')],
    [4, completes('c1', 'a')],
  );
  const [lane] = lanesOf(state);
  expect(lane?.open.map(({ id }) => id)).toEqual([aCommandId('c2')]);
  expect(lane?.last).toMatchObject({ id: aCommandId('c1'), outcome: 'completed', message: 'exit 1' });
  expect(state.ended).toEqual({ done: 1, failed: 0, stale: 0, hasOlder: false });
});

test('sessions without a model share one lane per provider, in order of start', () => {
  const you = { provider: aProviderId('you') };
  const state = after(
    [1, begins('a')],
    [2, { ...submits('c1', 's1'), ...you }],
    [3, { ...submits('c2', 's2'), ...you }],
    [4, begins('b')],
  );
  expect(providersOf(state)).toEqual(['a', 'you', 'b']);
  expect(lanesOf(state)[1]).toMatchObject({
    session: null,
    open: [{ title: 'bash c1' }, { title: 'bash c2' }],
  });
});

test('a session that starts while none is active begins a run: earlier sessions lose their lanes', () => {
  const first = [
    [1, begins('a')],
    [2, begins('b')],
    [3, ends('a')],
  ] as const;
  expect(providersOf(after(...first))).toEqual(['a', 'b']);
  const overlapping = after(...first, [4, begins('c')], [5, ends('b')], [6, ends('c')]);
  expect(providersOf(overlapping)).toEqual(['a', 'b', 'c']);
  expect(providersOf(after(...first, [4, ends('b')], [5, begins('c')]))).toEqual(['c']);
  // The earlier run does not come back when the later one has also ended.
  expect(providersOf(after(...first, [4, ends('b')], [5, begins('c')], [6, ends('c')]))).toEqual(['c']);
  const isStillOpen = after(...first, [4, submits('c1', 'a')], [4, ends('b')], [5, begins('c')]);
  expect(providersOf(isStillOpen)).toEqual(['a', 'c']);
});

test('commands that ended before the given time have no lane, nor have sessions whose coordinator died before', () => {
  const over = after(
    [1, begins('a')],
    [2, ends('a')],
    [3, { ...submits('c1', 's1') }],
    [4, completes('c1', 's1')],
  );
  expect(providersOf(over, 1000)).toEqual(['a', 's1']);
  expect(providersOf(over, 4000)).toEqual([]);
  const lost = aSessionView({ state: 'ended', finish: 'lost', endedAt: null, startedAt: 1000 });
  expect(providersOf(workspaceStateOf(aSnapshot({ sessions: [lost] })), 2000)).toEqual([]);
});

test('commands of an ended session of an earlier run get no lane, and are counted', () => {
  const context = { ...aCommandRecord().context, ...session('past') };
  const done = ended(aCommandRecord({ id: aCommandId('d1'), context }), {
    outcome: 'completed',
    endedAt: 2000,
  });
  const past = aSessionView({
    id: context.sessionId,
    provider: context.provider,
    state: 'ended',
    startedAt: 1000,
    endedAt: 3000,
  });
  const now = aSessionView({ startedAt: 4000 });
  const state = workspaceStateOf(aSnapshot({ commands: [aCommandView(done)], sessions: [now, past] }));
  expect(providersOf(state)).toEqual([now.provider]);
  expect(state.ended.done).toBe(1);
});

test('a lane has the price of its session, and the total has one if any lane has', () => {
  const turn = { type: 'turn_ended', ...session('a'), turn: 1, says: '', calls: 0, usage } as const;
  expect(costOf(lanesOf(after([1, begins('a')])))).toBeNull();
  const state = after(
    [1, begins('a')],
    [2, begins('b')],
    [3, { ...turn, costUsd: 0.2 }],
    [4, { ...turn, costUsd: 0.1 }],
  );
  expect(costOf(lanesOf(state))).toBeCloseTo(0.3);
});

test('a failed turn says when it is retried, until the next one begins', () => {
  const turn = { ...session('a'), turn: 1, attempt: 1 };
  const failed = {
    type: 'turn_failed',
    ...turn,
    kind: 'overloaded',
    message: 'busy',
    retryInMs: 500,
  } as const;
  const state = after([1, begins('a')], [2, failed]);
  expect(lanesOf(state)[0]?.session).toMatchObject({ since: 2000, retryAt: 2500 });
  const next = after([1, begins('a')], [2, failed], [3, { type: 'turn_started', ...turn, attempt: 2 }]);
  expect(lanesOf(next)[0]?.session).toMatchObject({ since: 3000, retryAt: null });
});

test('commands are found by state, and ended ones do not block', () => {
  const events = [
    [1, submits('c1', 'a')],
    [2, starts('c1', 'a')],
    [3, submits('c2', 'b')],
    [5, queues('c2', { name: 'b', behind: 'c1' })],
  ] as const;
  const state = after(...events);
  expect(openCommands(state).map(sinceOf)).toEqual([2000, 5000]);
  expect(commandsIn(state, 'running').map(({ id }) => id)).toEqual([aCommandId('c1')]);
  const blocked = (of: WorkspaceState) =>
    longestWaiting(of).map((one) => blockersOf(one, of).map(({ id }) => id));
  expect(blocked(state)).toEqual([[aCommandId('c1')]]);
  expect(blocked(after(...events, [6, completes('c1', 'a')]))).toEqual([[]]);
});

test('an approval shows its reason and expiry until it is answered', () => {
  const asks = {
    type: 'approval_requested',
    ...command('c1', 'a'),
    level: 'warning',
    reason: 'installs a package',
    callHash: 'a'.repeat(64) as never,
    expiresAt: 9000,
    approvers: 1,
  } as const;
  const by = { name: 'ana', channel: 'test' } as never;
  const more = { type: 'approval_extended', ...command('c1', 'a'), by, expiresAt: 12_000 } as const;
  const state = after([1, submits('c1', 'a')], [2, asks], [3, more]);
  expect(commandsIn(state, 'awaiting_approval')).toMatchObject([
    { level: 'warning', askedAt: 2000, expiresAt: 12_000, askedWhy: 'installs a package' },
  ]);
  const granted = {
    type: 'command_approved',
    ...command('c1', 'a'),
    by,
    rule: 'r',
    modified: false,
  } as const;
  const answered = after([1, submits('c1', 'a')], [2, asks], [3, granted]);
  expect([...answered.commands.values()]).toMatchObject([{ askedAt: null, expiresAt: null, askedWhy: null }]);
});
