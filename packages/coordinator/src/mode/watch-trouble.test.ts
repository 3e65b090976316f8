import { ToolFailure } from '@signalbox/core';
import { createMemoryFacts, createManualClock, createMemoryStore } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createStage, FREE } from '../testing/coordinator-stage.ts';
import { createModeDesk } from './mode-desk.ts';

test('a full disk puts the workspace into DEGRADED, with its reason, and stays there until a person acts (S000-66)', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  stage.setProgram(async () => {
    throw new ToolFailure({ code: 'disk-full', category: 'PermanentFailure', message: 'Cannot write' });
  });
  await stage.submit(coordinator, 'shell', { line: 'ls' }).result;
  await stage.settle();
  expect(await coordinator.mode()).toMatchObject({
    mode: 'DEGRADED',
    by: 'signalbox',
    reason: 'there is no room left on the disk',
  });
  expect(await stage.told('mode_changed')).toMatchObject([
    { from: 'NORMAL', to: 'DEGRADED', by: 'signalbox' },
  ]);
  expect((await coordinator.mode()).mode).toBe('DEGRADED');
  await coordinator.setMode('RECOVERY', 'ana', 'made room');
  expect((await coordinator.mode()).mode).toBe('RECOVERY');
  await coordinator.close();
});

test('the house never loosens what a person set, however close together both come', async () => {
  const clock = createManualClock();
  const { events } = createMemoryStore(clock);
  const desk = createModeDesk({ facts: createMemoryFacts(), events, clock, initial: 'NORMAL' });
  await Promise.all([desk.set('LOCKDOWN', 'ana', 'odd'), desk.degrade('no room')]);
  expect((await desk.current()).mode).toBe('LOCKDOWN');
  await Promise.all([desk.degrade('no room'), desk.set('LOCKDOWN', 'ana', 'odd')]);
  expect((await desk.current()).mode).toBe('LOCKDOWN');
});
