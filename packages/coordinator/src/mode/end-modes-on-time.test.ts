import {
  createManualClock,
  createMemoryFacts,
  createMemoryLogger,
  createMemoryStore,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { endModesOnTime } from './end-modes-on-time.ts';
import { createModeService } from './mode-service.ts';

function setUp() {
  const clock = createManualClock();
  const facts = createMemoryFacts();
  const { events } = createMemoryStore(clock);
  const logger = createMemoryLogger();
  const open = () => createModeService({ facts, events, clock, initial: 'NORMAL' });
  const changes = async () => {
    const replay = await events.since(null);
    return replay.kind === 'events'
      ? replay.events.flatMap((event) =>
          event.type === 'mode_changed' ? [`${event.to} by ${event.by}`] : [],
        )
      : [];
  };
  return { clock, facts, logger, open, changes };
}

test('the end of a timed mode is published on time, by one of several coordinators', async () => {
  const { clock, logger, open, changes } = setUp();
  const services = [open(), open(), open()];
  const stops = services.map((modes) => endModesOnTime({ modes, clock, logger }));
  await services[0]?.set('LOCKDOWN', { by: 'ana', reason: 'odd', forMs: 90_000 });
  await clock.advance(89_999);
  expect(await changes()).toEqual(['LOCKDOWN by ana']);
  await clock.advance(1);
  expect(await changes()).toEqual(['LOCKDOWN by ana', 'NORMAL by signalbox']);
  for (const stop of stops) stop();
});

test('a mode that ended while no process ran is published at the next start', async () => {
  const { clock, logger, open, changes } = setUp();
  await open().set('LOCKDOWN', { by: 'ana', reason: 'odd', forMs: 90_000 });
  await clock.advance(1_000_000);
  const stop = endModesOnTime({ modes: open(), clock, logger });
  await clock.advance(0);
  expect(await changes()).toEqual(['LOCKDOWN by ana', 'NORMAL by signalbox']);
  stop();
});

test('after stop nothing is published', async () => {
  const { clock, logger, open, changes } = setUp();
  const modes = open();
  const stop = endModesOnTime({ modes, clock, logger });
  await modes.set('LOCKDOWN', { by: 'ana', reason: 'odd', forMs: 1000 });
  stop();
  await clock.advance(10_000);
  expect(await changes()).toEqual(['LOCKDOWN by ana']);
});

test('an unreachable store is asked again', async () => {
  const { clock, facts, logger, open, changes } = setUp();
  await open().set('LOCKDOWN', { by: 'ana', reason: 'odd', forMs: 1000 });
  let isAway = true;
  const modes = open();
  const settle = () => (isAway ? Promise.reject(new Error('away')) : modes.settle());
  const stop = endModesOnTime({ modes: { ...modes, settle }, clock, logger });
  await clock.advance(30_000);
  isAway = false;
  await clock.advance(60_000);
  expect(await changes()).toEqual(['LOCKDOWN by ana', 'NORMAL by signalbox']);
  expect(await facts.get('mode')).toMatchObject({ mode: 'NORMAL' });
  stop();
});
