import { NO_USAGE, type SessionId, UsageError } from '@signalbox/core';
import { aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { Coordinator } from '../coordinator-api.ts';
import { createStage, type Stage } from '../testing/coordinator-stage.ts';
import { readSessionRules } from './session-rules.ts';

const TOUCH = { id: 'touch-a', allow: { program: 'touch', args: ['a'] } };
const OTHER = aSessionId('other');

async function restOf(stage: Stage, coordinator: Coordinator, line: string, sessionId?: SessionId) {
  const context = sessionId === undefined ? {} : { sessionId };
  const submitted = stage.submit(coordinator, 'shell', { line }, context);
  return { submitted, status: await submitted.resting };
}

test('a rule of a session counts at once, for that session, for that line, and until it is removed', async () => {
  const stage = createStage();
  const coordinator = await stage.start();
  const { submitted } = await restOf(stage, coordinator, 'touch a');
  expect(await coordinator.sessionRules.add(submitted.commandId, TOUCH)).toEqual({
    rule: 'touch-a',
    session: aSessionId(),
  });
  expect((await restOf(stage, coordinator, 'touch a')).status).not.toBe('pending');
  expect((await restOf(stage, coordinator, 'touch b')).status).toBe('pending');
  expect((await restOf(stage, coordinator, 'touch a', OTHER)).status).toBe('pending');
  expect(await readSessionRules(stage.facts)).toEqual([{ session: aSessionId(), rule: TOUCH }]);
  expect(await coordinator.sessionRules.remove('touch-a')).toBe(true);
  expect(await readSessionRules(stage.facts)).toEqual([]);
  expect((await restOf(stage, coordinator, 'touch a')).status).toBe('pending');
  expect(await coordinator.sessionRules.remove('touch-a')).toBe(false);
});

test('it lifts nothing that is denied, dangerous or blocked', async () => {
  const stage = createStage({ rules: [{ id: 'no-b', deny: { program: 'touch', args: ['b'] } }] });
  const coordinator = await stage.start();
  const { submitted } = await restOf(stage, coordinator, 'touch a');
  for (const [id, line] of [
    ['one', 'rm -rf dist'],
    ['two', 'touch b'],
    ['three', 'sudo reboot'],
  ]) {
    await coordinator.sessionRules.add(submitted.commandId, { id: id ?? '', allow: { line: line ?? '' } });
  }
  expect((await restOf(stage, coordinator, 'rm -rf dist')).status).toBe('pending');
  expect((await restOf(stage, coordinator, 'touch b')).status).toBe('denied');
  expect((await restOf(stage, coordinator, 'sudo reboot')).status).toBe('denied');
});

test('it ends with its session, and with the process', async () => {
  const stage = createStage();
  const coordinator = await stage.start();
  const { submitted } = await restOf(stage, coordinator, 'touch a');
  await coordinator.sessionRules.add(submitted.commandId, TOUCH);
  const { provider } = (await stage.record(submitted.commandId)).context;
  const end = { type: 'session_ended', finish: 'finished', message: '', turns: 1, costUsd: null } as const;
  await stage.events.append([{ ...end, sessionId: aSessionId(), provider, usage: NO_USAGE }]);
  await stage.settle();
  expect(await readSessionRules(stage.facts)).toEqual([]);
  expect((await restOf(stage, coordinator, 'touch a')).status).toBe('pending');

  await coordinator.sessionRules.add(submitted.commandId, TOUCH);
  stage.kill();
  const next = await stage.start();
  expect(await readSessionRules(stage.facts)).toEqual([]);
  expect((await restOf(stage, next, 'touch a')).status).toBe('pending');
});

test('what is no allow rule is refused, with what is wrong with it', async () => {
  const stage = createStage();
  const coordinator = await stage.start();
  const { submitted } = await restOf(stage, coordinator, 'touch a');
  const { sessionRules } = coordinator;
  for (const rule of [{ id: 'x' }, { id: 'X', allow: { line: 'a' } }, { ...TOUCH, colour: 'red' }, 7, null]) {
    await expect(sessionRules.add(submitted.commandId, rule)).rejects.toBeInstanceOf(UsageError);
  }
  await expect(
    sessionRules.add(submitted.commandId, { id: 'x', deny: { program: 'touch' } }),
  ).rejects.toMatchObject({ code: 'invalid-rule' });
  const unknown = createStage();
  await expect((await unknown.start()).sessionRules.add(submitted.commandId, TOUCH)).rejects.toMatchObject({
    code: 'unknown-id',
  });
});
