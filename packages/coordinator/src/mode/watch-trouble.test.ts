import { SandboxError, ToolFailure, UnavailableError } from '@signalbox/core';
import { createMemoryFacts, createManualClock, createMemoryStore } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createHarness, FREE } from '../testing/coordinator-harness.ts';
import { createModeService } from './mode-service.ts';

test('a full disk sets DEGRADED, and the previous mode comes back when there is space again (S000-66, F-B5)', async () => {
  const harness = createHarness(FREE);
  let lack: string | undefined = 'only 3 MB are left';
  const coordinator = await harness.start({ conditions: { disk: async () => lack } });
  await coordinator.setMode('ALERT', { by: 'ana', reason: 'a release' });
  harness.setProgram(async () => {
    throw new ToolFailure({ code: 'disk-full', category: 'PermanentFailure', message: 'Cannot write' });
  });
  await harness.submit(coordinator, 'shell', { line: 'ls' }).result;
  await harness.settle();
  expect(await coordinator.mode()).toMatchObject({
    mode: 'DEGRADED',
    by: 'signalbox',
    reason: 'the disk is full; it ends by itself when the disk has free space again',
  });
  const denied = await harness.submit(coordinator, 'shell', { line: 'ls | wc' }).result;
  expect(denied.failure).toMatchObject({
    code: 'denied-by-mode',
    message: expect.stringMatching(/in DEGRADED mode \(since \d\d:\d\d, set by signalbox: the disk is full/),
    suggestion: expect.stringContaining('signalbox mode NORMAL'),
  });
  await harness.clock.advance(30_000);
  expect((await coordinator.mode()).mode).toBe('DEGRADED');
  lack = undefined;
  await harness.clock.advance(10_000);
  expect(await coordinator.mode()).toMatchObject({ mode: 'ALERT', by: 'ana', reason: 'a release' });
  expect(await harness.reported('mode_changed')).toMatchObject([
    { to: 'ALERT' },
    { from: 'ALERT', to: 'DEGRADED', by: 'signalbox' },
    { from: 'DEGRADED', to: 'ALERT', by: 'signalbox', reason: 'the disk has free space again' },
  ]);
  await coordinator.close();
});

test('a mode that a person sets meanwhile stays, and trouble whose end can’t be detected stays until a person acts', async () => {
  const harness = createHarness(FREE);
  let lack: string | undefined = 'only 3 MB are left';
  const coordinator = await harness.start({ conditions: { disk: async () => lack } });
  await harness.clock.advance(10_000);
  expect((await coordinator.mode()).mode).toBe('DEGRADED');
  await coordinator.setMode('LOCKDOWN', { by: 'ana', reason: 'odd' });
  lack = undefined;
  await harness.clock.advance(20_000);
  expect((await coordinator.mode()).mode).toBe('LOCKDOWN');
  await coordinator.setMode('NORMAL', { by: 'ana', reason: 'fine' });
  harness.setProgram(async () => {
    throw new SandboxError('Cannot run commands: the program "bwrap" is not installed');
  });
  await harness.submit(coordinator, 'shell', { line: 'ls' }).result;
  await harness.clock.advance(60_000);
  expect(await coordinator.mode()).toMatchObject({
    mode: 'DEGRADED',
    reason: 'the sandbox does not work on this machine',
  });
  await coordinator.close();
});

test.for(['redis-gone', 'redis-refused'] as const)(
  'a command that fails with %s keeps that code, and the mode stays (F-B5)',
  async (code) => {
    const harness = createHarness(FREE);
    const coordinator = await harness.start();
    harness.setProgram(async () => {
      const cause = new UnavailableError(code, 'Cannot reach Redis', { next: ['Check the server'] });
      throw new SandboxError('Cannot put the files of the command into the workspace', { cause });
    });
    const { failure } = await harness.submit(coordinator, 'shell', { line: 'ls' }).result;
    expect(failure).toMatchObject({ code, category: 'ServerError', suggestion: 'Check the server' });
    await harness.settle();
    expect((await coordinator.mode()).mode).toBe('NORMAL');
    await coordinator.close();
  },
);

test('the coordinator never loosens a mode set by a person, however close together both come', async () => {
  const clock = createManualClock();
  const { events } = createMemoryStore(clock);
  const service = createModeService({ facts: createMemoryFacts(), events, clock, initial: 'NORMAL' });
  await Promise.all([service.set('LOCKDOWN', { by: 'ana', reason: 'odd' }), service.degrade('no room')]);
  expect((await service.current()).mode).toBe('LOCKDOWN');
  await Promise.all([service.degrade('no room'), service.set('LOCKDOWN', { by: 'ana', reason: 'odd' })]);
  expect((await service.current()).mode).toBe('LOCKDOWN');
});
