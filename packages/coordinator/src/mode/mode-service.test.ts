import { UsageError } from '@signalbox/core';
import { createManualClock, createMemoryFacts, createMemoryStore, SOME_TIME } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createModeService } from './mode-service.ts';

function setUp() {
  const clock = createManualClock();
  const facts = createMemoryFacts();
  const { events } = createMemoryStore(clock);
  const open = () => createModeService({ facts, events, clock, initial: 'ALERT' });
  return { clock, facts, events, open, service: open() };
}

test('the initial mode applies until another one is set, which every service then reads', async () => {
  const { clock, service, open, events } = setUp();
  expect(await service.current()).toMatchObject({ mode: 'ALERT', since: SOME_TIME, by: 'configuration' });
  await clock.advance(50);
  const state = { mode: 'LOCKDOWN', since: SOME_TIME + 50, by: 'ana', reason: 'odd' };
  expect(await service.set('LOCKDOWN', { by: 'ana', reason: 'odd' })).toEqual(state);
  expect(await open().current()).toEqual(state);
  const replay = await events.since(null);
  expect(replay).toMatchObject({
    events: [{ type: 'mode_changed', from: 'ALERT', to: 'LOCKDOWN', by: 'ana' }],
  });
});

test('a mode that can’t be read is LOCKDOWN (X-26)', async () => {
  const { facts, service, events, clock } = setUp();
  for (const stored of ['NORMAL', { mode: 'CALM' }, null, { mode: 'NORMAL' }, 7]) {
    await facts.set('mode', stored);
    expect((await service.current()).mode).toBe('LOCKDOWN');
  }
  const broken = { ...facts, get: () => Promise.reject(new Error('gone')) };
  expect((await createModeService({ facts: broken, events, clock, initial: 'NORMAL' }).current()).mode).toBe(
    'LOCKDOWN',
  );
});

test('a mode can’t be set without a reason', async () => {
  const { service } = setUp();
  await expect(service.set('NORMAL', { by: 'ana', reason: ' \n' })).rejects.toThrow(UsageError);
  expect((await service.current()).mode).toBe('ALERT');
});

test('a timed mode ends on time, published once, whichever service reads it', async () => {
  const { clock, service, open, events } = setUp();
  const back = { at: SOME_TIME + 60_000, to: 'ALERT' };
  expect(await service.set('LOCKDOWN', { by: 'ana', reason: 'odd', forMs: 60_000 })).toMatchObject({
    mode: 'LOCKDOWN',
    back,
  });
  await clock.advance(59_999);
  expect(await open().current()).toMatchObject({ mode: 'LOCKDOWN', by: 'ana', back });
  await clock.advance(1);
  // Not published yet, but over all the same.
  expect(await open().current()).toEqual({
    mode: 'ALERT',
    since: SOME_TIME + 60_000,
    by: 'configuration',
    reason: 'initial mode',
  });
  const settled = await Promise.all([service.settle(), open().settle(), service.settle()]);
  expect(settled.map(({ mode }) => mode)).toEqual(['ALERT', 'ALERT', 'ALERT']);
  expect(await events.since(null)).toMatchObject({
    events: [
      { type: 'mode_changed', from: 'ALERT', to: 'LOCKDOWN', by: 'ana', back },
      {
        type: 'mode_changed',
        from: 'LOCKDOWN',
        to: 'ALERT',
        by: 'signalbox',
        reason: 'the time limit of LOCKDOWN, set by ana, has passed',
      },
    ],
  });
});

test('a person’s LOCKDOWN at one service is not undone by trouble that another one detects at the same time', async () => {
  for (let run = 0; run < 20; run++) {
    const { service, open } = setUp();
    await Promise.all([
      open().degrade('no room'),
      service.set('LOCKDOWN', { by: 'ana', reason: 'odd' }),
      open().degrade('no room'),
    ]);
    expect((await service.current()).mode).toBe('LOCKDOWN');
  }
});

test('a duration of zero, or of more than 30 days, is rejected', async () => {
  const { service } = setUp();
  for (const forMs of [0, -1, 30 * 86_400_000 + 1])
    await expect(service.set('NORMAL', { by: 'ana', reason: 'r', forMs })).rejects.toThrow(
      'more than 0 and at most 30 days',
    );
  expect((await service.current()).mode).toBe('ALERT');
});
