import { defaultSettings, parseSettings } from '@signalbox/core';
import { createPolicy, createPolicyHolder, type PolicyHolder } from '@signalbox/policy';
import { expect, test } from 'vitest';
import { ANA, anExecution, createStage, WORKSPACE } from './testing/coordinator-stage.ts';

const GROUND = { workspace: WORKSPACE, home: '/home/ana' };

function policyOf(value: Readonly<Record<string, unknown>>) {
  const parsed = parseSettings(value);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return createPolicy(parsed.settings, GROUND);
}

async function setUp() {
  const stage = createStage();
  const policy: PolicyHolder = createPolicyHolder(createPolicy(defaultSettings(), GROUND));
  const coordinator = await stage.start({ policy });
  const change = async (value: Readonly<Record<string, unknown>>): Promise<void> => {
    policy.swap(policyOf(value));
    coordinator.policyChanged();
    await stage.settle();
  };
  return { stage, coordinator, change };
}

test('an open question is asked anew when the policy changes, and an answer to the old one counts for nothing (C10)', async () => {
  const { stage, coordinator, change } = await setUp();
  const asked = stage.submit(coordinator, 'shell', { line: 'touch a' });
  await asked.resting;
  const before = await stage.record(asked.commandId);
  await change({ rules: [{ id: 'other', deny: { program: 'npm' } }] });
  const after = await stage.record(asked.commandId);
  if (before.callHash === null || after.callHash === null) throw new Error('not judged');
  expect(after).toMatchObject({
    state: 'awaiting_approval',
    approval: { status: 'pending', callHash: after.callHash },
  });
  expect(after.callHash).not.toBe(before.callHash);
  const { approvals } = coordinator;
  expect(await approvals.answer(asked.commandId, { kind: 'approve' }, ANA, before.callHash)).toEqual({
    kind: 'changed',
    callHash: after.callHash,
  });
  expect((await approvals.answer(asked.commandId, { kind: 'approve' }, ANA, after.callHash)).kind).toBe(
    'granted',
  );
  expect((await asked.result).outcome.kind).toBe('completed');
  expect(await stage.told('approval_requested')).toHaveLength(2);
});

test('what the new policy forbids is refused while it waits for a person', async () => {
  const { stage, coordinator, change } = await setUp();
  const asked = stage.submit(coordinator, 'shell', { line: 'touch a' });
  await asked.resting;
  await change({ rules: [{ id: 'no-touch', deny: { program: 'touch' } }] });
  expect((await asked.result).failure?.message).toContain('rule "no-touch"');
  expect(await stage.endingOf(asked)).toEqual(['denied', 'denied', 'denied']);
  expect(stage.requests).toEqual([]);
});

test('what the new policy allows is asked once more, since a person has seen it already', async () => {
  const { stage, coordinator, change } = await setUp();
  const asked = stage.submit(coordinator, 'shell', { line: 'touch a' });
  await asked.resting;
  await change({ rules: [{ id: 'touch', allow: { program: 'touch', args: ['*'] } }] });
  expect(await stage.record(asked.commandId)).toMatchObject({
    state: 'awaiting_approval',
    ruling: { kind: 'ask', rule: 'touch', reason: 'the policy changed since it was asked' },
  });
});

test('a command in the queue is judged by the new policy when its turn comes', async () => {
  const { stage, coordinator, change } = await setUp();
  const { promise: running, resolve: end } = Promise.withResolvers<void>();
  stage.setProgram(async () => {
    await running;
    return anExecution();
  });
  const holders = [1, 2, 3].map(() => stage.submit(coordinator, 'shell', { line: 'ls' }));
  const allowed = stage.submit(coordinator, 'shell', { line: 'ls' });
  const denied = stage.submit(coordinator, 'shell', { line: 'cat a' });
  expect([await allowed.resting, await denied.resting]).toEqual(['queued', 'queued']);
  await change({ rules: [{ id: 'no-cat', deny: { program: 'cat' } }] });
  end();
  await Promise.all(holders.map(({ result }) => result));
  expect((await allowed.result).outcome.kind).toBe('completed');
  expect((await denied.result).failure?.message).toContain('rule "no-cat"');
});

test('a policy that decides the same asks nobody again', async () => {
  const { stage, coordinator, change } = await setUp();
  const asked = stage.submit(coordinator, 'shell', { line: 'touch a' });
  await asked.resting;
  await change({});
  expect(await stage.told('approval_requested')).toHaveLength(1);
});
