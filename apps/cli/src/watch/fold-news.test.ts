import { aCommandView } from '@signalbox/api/testing';
import type { EventId } from '@signalbox/core';
import { aCommandId, aCommandRecord, aProviderId, aSessionId, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { LOOK, screenText } from '../testing/screen-text.ts';
import { foldNews } from './fold-news.ts';
import { laneList } from './lane-list.ts';
import { watchFrame } from './watch-frame.ts';
import { laneChoice, newWatchUi } from './watch-ui.ts';
import { newWatchState } from './watch-state.ts';
import { aFrame, aSnapshot, anEvent, ofCommand, storyState } from './testing/watch-story.ts';

test('sessions that no model leads share one lane for each provider', () => {
  const more = ['1', '2', '3'].map((label) =>
    anEvent(1, {
      type: 'command_submitted',
      ...ofCommand(`s${label}`, 'you', 'bash ls'),
      sessionId: aSessionId(`s${label}`),
      tool: 'bash',
    }),
  );
  const { lanes } = laneList(storyState(more), laneChoice(newWatchUi()));
  expect(lanes.map(({ lane }) => lane.provider)).toEqual(['deepseek', 'anthropic', 'openai', 'you']);
});

test('the lanes are sorted by who needs a person most, on request', () => {
  const words = laneList(storyState(), { ...laneChoice(newWatchUi()), byNeed: true }).lanes.map(
    ({ doing }) => doing.word,
  );
  expect(words).toEqual(['asks', 'waits', 'runs', 'idle']);
});

test('after a break the snapshot holds what happened; its events are told and counted, and change nothing', () => {
  const before = storyState();
  const snapshot = aSnapshot({ lastEventId: '20-0' as EventId });
  const back = foldNews(before, { kind: 'snapshot', snapshot, after: 'break' }, LOOK.now);
  const missed = {
    ...anEvent(1, { type: 'command_submitted', ...ofCommand('w5ja', 'openai', 'x'), tool: 'x' }),
  };
  const heard = foldNews(back, { kind: 'event', event: { ...missed, id: '20-0' as EventId } }, LOOK.now);
  expect(heard.connection).toEqual({ kind: 'connected', since: LOOK.now, after: 'break', caughtUp: 1 });
  expect(heard.run.commands.size).toBe(0);
  expect(heard.events).toHaveLength(before.events.length + 1);
  const next = foldNews(heard, { kind: 'event', event: { ...missed, id: '20-1' as EventId } }, LOOK.now);
  expect(next.run.commands.size).toBe(1);
});

test('a snapshot shows what waits, whom it waits for, and how the last command of a lane ended', () => {
  const context = { ...aCommandRecord().context, provider: aProviderId('codex') };
  const waiting = aCommandRecord({
    id: aCommandId('w1'),
    state: 'queued',
    queuedAt: LOOK.now - 5000,
    context,
  });
  const failed = ended(
    aCommandRecord({ id: aCommandId('f1'), submittedAt: LOOK.now - 9000, context }),
    'failed',
    LOOK.now - 8000,
  );
  const entry = { provider: context.provider, priority: 100, since: LOOK.now - 5000 };
  const snapshot = aSnapshot({
    commands: [waiting, failed].map(aCommandView),
    queue: {
      counts: [],
      waiting: [{ ...entry, commandId: waiting.id, claims: [], blockers: [aCommandId('b1')] }],
      leases: [],
    },
  });
  const state = foldNews(storyState(), { kind: 'snapshot', snapshot, after: 'start' }, LOOK.now);
  expect(state.run.commands.get(waiting.id)).toMatchObject({
    state: 'waits',
    since: LOOK.now - 5000,
    blockers: [aCommandId('b1')],
  });
  expect(state.ended).toEqual({ done: 0, failed: 1, stale: 0, hasOlder: false });
  expect([...state.lastOf.values()]).toMatchObject([{ id: failed.id, glance: { word: 'failed' } }]);
});

test('the time without connection counts from the first failure', () => {
  const broken = (at: number) => ({ kind: 'broken', at, nextTryAt: at + 1000, why: '' }) as const;
  const once = foldNews(storyState(), broken(LOOK.now), LOOK.now);
  const twice = foldNews(once, broken(LOOK.now + 9000), LOOK.now + 9000);
  expect(twice.connection).toMatchObject({ since: LOOK.now, nextTryAt: LOOK.now + 10_000 });
});

test('a snapshot that holds the last 200 commands says that there were others before them', () => {
  const screenOf = (count: number, width = 80): string => {
    const commands = Array.from({ length: count }, (_, n) =>
      aCommandView(ended(aCommandRecord({ id: aCommandId(`e${n}`) }), 'completed', LOOK.now - 3_600_000)),
    );
    const snapshot = aSnapshot({ commands, sessions: [] });
    const state = foldNews(newWatchState(LOOK.now), { kind: 'snapshot', snapshot, after: 'start' }, LOOK.now);
    const frame = aFrame({ state, question: null, prompt: [] });
    return screenText(watchFrame(frame, { width, height: 23 }, { ...LOOK, width }), width);
  };
  expect(screenOf(199)).toContain(' 199 done');
  expect(screenOf(200)).toContain(' 200+ done');
  expect(screenOf(199, 100)).toContain(' 0 failed');
  expect(screenOf(200, 100)).not.toContain('failed');
  expect(screenOf(200)).toContain('No activity in the last 10 minutes');
  expect(screenOf(0)).toContain('No activity yet');
});

test('what sessions of an earlier run did gets no lane while a later run is at work (U: old lanes)', () => {
  const context = {
    ...aCommandRecord().context,
    provider: aProviderId('gemini'),
    sessionId: aSessionId('past'),
  };
  const done = ended(aCommandRecord({ id: aCommandId('d1'), context }), 'completed', LOOK.now - 90_000);
  const { sessions } = aSnapshot();
  const past = {
    ...sessions[0],
    id: context.sessionId,
    provider: context.provider,
    state: 'ended',
    startedAt: LOOK.now - 120_000,
    endedAt: LOOK.now - 80_000,
    finish: 'finished',
  } as (typeof sessions)[number];
  const snapshot = aSnapshot({ commands: [aCommandView(done)], sessions: [...sessions, past] });
  const state = foldNews(newWatchState(LOOK.now), { kind: 'snapshot', snapshot, after: 'start' }, LOOK.now);
  expect([...state.run.lanes.values()].map(({ provider }) => provider)).toEqual([
    'anthropic',
    'openai',
    'deepseek',
  ]);
  expect(state.ended.done).toBe(1);
});
