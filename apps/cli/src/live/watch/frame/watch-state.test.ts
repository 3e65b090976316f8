import { aCommandView } from '@signalbox/api/testing';
import type { EventId } from '@signalbox/core';
import { aCommandId, aCommandRecord, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { RENDER, screenText } from '../../../testing/screen-text.ts';
import { watchFrame } from '../watch-frame.ts';
import { newWatchState, watchAfter } from './watch-state.ts';
import { aFrame, aSnapshot, anEvent, ofCommand, storyState } from '../testing/watch-story.ts';

test('after a break the snapshot includes what happened; its events are displayed and counted, and change nothing', () => {
  const before = storyState();
  const snapshot = aSnapshot({ lastEventId: '20-0' as EventId });
  const back = watchAfter(before, [{ kind: 'snapshot', snapshot, after: 'break' }], { now: RENDER.now });
  const missed = {
    ...anEvent(1, {
      type: 'command_submitted',
      ...ofCommand('w5ja', { provider: 'openai', title: 'x' }),
      tool: 'x',
    }),
  };
  const heard = watchAfter(back, [{ kind: 'event', event: { ...missed, id: '20-0' as EventId } }], {
    now: RENDER.now,
  });
  expect(heard.connection).toEqual({ kind: 'connected', since: RENDER.now, after: 'break', caughtUp: 1 });
  expect(heard.commands.size).toBe(0);
  expect(heard.events).toHaveLength(before.events.length + 1);
  const next = watchAfter(heard, [{ kind: 'event', event: { ...missed, id: '20-1' as EventId } }], {
    now: RENDER.now,
  });
  expect(next.commands.size).toBe(1);
});

test('the time without connection counts from the first failure', () => {
  const broken = (at: number) => ({ kind: 'broken', at, nextTryAt: at + 1000, why: '' }) as const;
  const once = watchAfter(storyState(), [broken(RENDER.now)], { now: RENDER.now });
  const twice = watchAfter(once, [broken(RENDER.now + 9000)], { now: RENDER.now + 9000 });
  expect(twice.connection).toMatchObject({ since: RENDER.now, nextTryAt: RENDER.now + 10_000 });
});

test('a snapshot with the last 200 commands shows that there were earlier ones', () => {
  const screenOf = (count: number, width = 80): string => {
    const commands = Array.from({ length: count }, (_, n) =>
      aCommandView(
        ended(aCommandRecord({ id: aCommandId(`e${n}`) }), {
          outcome: 'completed',
          endedAt: RENDER.now - 3_600_000,
        }),
      ),
    );
    const snapshot = aSnapshot({ commands, sessions: [] });
    const state = watchAfter(newWatchState(), [{ kind: 'snapshot', snapshot, after: 'start' }], {
      now: RENDER.now,
    });
    const frame = aFrame({ state, question: null, prompt: [] });
    return screenText(watchFrame(frame, { width, height: 23 }, { ...RENDER, width }), width);
  };
  expect(screenOf(199)).toContain(' 199 done');
  expect(screenOf(200)).toContain(' 200+ done');
  expect(screenOf(199, 100)).toContain(' 0 failed');
  expect(screenOf(200, 100)).not.toContain('failed');
  expect(screenOf(200)).toContain('No activity in the last 10 minutes');
  expect(screenOf(0)).toContain('No activity yet');
});
