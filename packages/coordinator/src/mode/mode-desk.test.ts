import { UsageError } from '@signalbox/core';
import { createManualClock, createMemoryFacts, createMemoryStore, SOME_TIME } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createModeDesk } from './mode-desk.ts';

function setUp() {
  const clock = createManualClock();
  const facts = createMemoryFacts();
  const { events } = createMemoryStore(clock);
  const open = () => createModeDesk({ facts, events, clock, initial: 'ALERT' });
  return { clock, facts, events, open, desk: open() };
}

test('the initial mode holds until somebody sets another, which every desk then reads', async () => {
  const { clock, desk, open, events } = setUp();
  expect(await desk.current()).toMatchObject({ mode: 'ALERT', since: SOME_TIME, by: 'configuration' });
  await clock.advance(50);
  const state = { mode: 'LOCKDOWN', since: SOME_TIME + 50, by: 'ana', reason: 'odd' };
  expect(await desk.set('LOCKDOWN', 'ana', 'odd')).toEqual(state);
  expect(await open().current()).toEqual(state);
  const replay = await events.since(null);
  expect(replay).toMatchObject({
    events: [{ type: 'mode_changed', from: 'ALERT', to: 'LOCKDOWN', by: 'ana' }],
  });
});

test('a mode that can’t be read is LOCKDOWN', async () => {
  const { facts, desk, events, clock } = setUp();
  for (const stored of ['NORMAL', { mode: 'CALM' }, null, { mode: 'NORMAL' }, 7]) {
    await facts.set('mode', stored);
    expect((await desk.current()).mode).toBe('LOCKDOWN');
  }
  const broken = { ...facts, get: () => Promise.reject(new Error('gone')) };
  expect((await createModeDesk({ facts: broken, events, clock, initial: 'NORMAL' }).current()).mode).toBe(
    'LOCKDOWN',
  );
});

test('a mode is not set without a reason', async () => {
  const { desk } = setUp();
  await expect(desk.set('NORMAL', 'ana', ' \n')).rejects.toThrow(UsageError);
  expect((await desk.current()).mode).toBe('ALERT');
});
