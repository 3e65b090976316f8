import { NO_USAGE, type SessionId, UsageError } from '@signalbox/core';
import { aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { Coordinator } from '../coordinator-api.ts';
import { createHarness, type CoordinatorHarness } from '../testing/coordinator-harness.ts';
import { readSessionRules } from './session-rules.ts';

const TOUCH = { id: 'touch-a', allow: { program: 'touch', args: ['a'] } };
const OTHER = aSessionId('other');

async function restOf(
  harness: CoordinatorHarness,
  coordinator: Coordinator,
  { line, sessionId }: Readonly<{ line: string; sessionId?: SessionId }>,
) {
  const context = sessionId === undefined ? {} : { sessionId };
  const submitted = harness.submit(coordinator, 'shell', { line }, context);
  return { submitted, status: await submitted.resting };
}

test('a session rule applies at once, for that session and that line only, until it is removed', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const { submitted } = await restOf(harness, coordinator, { line: 'touch a' });
  expect(await coordinator.sessionRules.add(submitted.commandId, TOUCH)).toEqual({
    rule: 'touch-a',
    session: aSessionId(),
  });
  expect((await restOf(harness, coordinator, { line: 'touch a' })).status).not.toBe('pending');
  expect((await restOf(harness, coordinator, { line: 'touch b' })).status).toBe('pending');
  expect((await restOf(harness, coordinator, { line: 'touch a', sessionId: OTHER })).status).toBe('pending');
  expect(await readSessionRules(harness.facts)).toEqual([{ session: aSessionId(), rule: TOUCH }]);
  expect(await coordinator.sessionRules.remove('touch-a')).toBe(true);
  expect(await readSessionRules(harness.facts)).toEqual([]);
  expect((await restOf(harness, coordinator, { line: 'touch a' })).status).toBe('pending');
  expect(await coordinator.sessionRules.remove('touch-a')).toBe(false);
});

test('a session rule lifts nothing that is denied, dangerous or blocked', async () => {
  const harness = createHarness({ rules: [{ id: 'no-b', deny: { program: 'touch', args: ['b'] } }] });
  const coordinator = await harness.start();
  const { submitted } = await restOf(harness, coordinator, { line: 'touch a' });
  for (const [id, line] of [
    ['one', 'rm -rf dist'],
    ['two', 'touch b'],
    ['three', 'sudo reboot'],
  ]) {
    await coordinator.sessionRules.add(submitted.commandId, { id: id ?? '', allow: { line: line ?? '' } });
  }
  expect((await restOf(harness, coordinator, { line: 'rm -rf dist' })).status).toBe('pending');
  expect((await restOf(harness, coordinator, { line: 'touch b' })).status).toBe('denied');
  expect((await restOf(harness, coordinator, { line: 'sudo reboot' })).status).toBe('denied');
});

test('a session rule ends with its session, and with the process', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const { submitted } = await restOf(harness, coordinator, { line: 'touch a' });
  await coordinator.sessionRules.add(submitted.commandId, TOUCH);
  const { provider } = (await harness.record(submitted.commandId)).context;
  const end = { type: 'session_ended', finish: 'finished', message: '', turns: 1, costUsd: null } as const;
  await harness.events.append([{ ...end, sessionId: aSessionId(), provider, usage: NO_USAGE }]);
  await harness.settle();
  expect(await readSessionRules(harness.facts)).toEqual([]);
  expect((await restOf(harness, coordinator, { line: 'touch a' })).status).toBe('pending');

  await coordinator.sessionRules.add(submitted.commandId, TOUCH);
  harness.kill();
  const next = await harness.start();
  expect(await readSessionRules(harness.facts)).toEqual([]);
  expect((await restOf(harness, next, { line: 'touch a' })).status).toBe('pending');
});

test('anything but an allow rule is rejected with the reason', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const { submitted } = await restOf(harness, coordinator, { line: 'touch a' });
  const { sessionRules } = coordinator;
  for (const rule of [{ id: 'x' }, { id: 'X', allow: { line: 'a' } }, { ...TOUCH, colour: 'red' }, 7, null]) {
    await expect(sessionRules.add(submitted.commandId, rule)).rejects.toBeInstanceOf(UsageError);
  }
  await expect(
    sessionRules.add(submitted.commandId, { id: 'x', deny: { program: 'touch' } }),
  ).rejects.toMatchObject({ code: 'invalid-rule' });
  const unknown = createHarness();
  await expect((await unknown.start()).sessionRules.add(submitted.commandId, TOUCH)).rejects.toMatchObject({
    code: 'unknown-id',
  });
});
