import { defaultSettings, parseSettings } from '@signalbox/core';
import { createPolicy, createPolicyHolder, type PolicyHolder } from '@signalbox/policy';
import { expect, test } from 'vitest';
import { ANA, anExecution, createHarness, WORKSPACE } from '../testing/coordinator-harness.ts';

const GROUND = { workspace: WORKSPACE, home: '/home/ana' };

function policyOf(value: Readonly<Record<string, unknown>>) {
  const parsed = parseSettings(value);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return createPolicy(parsed.settings, GROUND);
}

async function setUp() {
  const harness = createHarness();
  const policy: PolicyHolder = createPolicyHolder(createPolicy(defaultSettings(), GROUND));
  const coordinator = await harness.start({ policy });
  const change = async (value: Readonly<Record<string, unknown>>): Promise<void> => {
    policy.swap(policyOf(value));
    coordinator.policyChanged('files');
    await harness.settle();
  };
  return { harness, coordinator, change };
}

test('a pending approval is requested again when the policy changes, and an answer to the old one does not count (C10)', async () => {
  const { harness, coordinator, change } = await setUp();
  const asked = harness.submit(coordinator, 'shell', { line: 'touch a' });
  await asked.resting;
  const before = await harness.record(asked.commandId);
  await change({ rules: [{ id: 'other', deny: { program: 'npm' } }] });
  const after = await harness.record(asked.commandId);
  if (before.approval === null || after.approval === null) throw new Error('nothing asked');
  expect(after).toMatchObject({
    state: 'awaiting_approval',
    approval: { status: 'pending', again: [{ because: 'policy', paths: [] }] },
  });
  expect(after.approval.callHash).not.toBe(before.approval.callHash);
  const { approvals } = coordinator;
  expect(
    await approvals.answer(
      asked.commandId,
      { kind: 'approve' },
      { by: ANA, expect: before.approval.callHash },
    ),
  ).toEqual({
    kind: 'changed',
    callHash: after.approval.callHash,
  });
  expect(
    (
      await approvals.answer(
        asked.commandId,
        { kind: 'approve' },
        { by: ANA, expect: after.approval.callHash },
      )
    ).kind,
  ).toBe('granted');
  expect((await asked.result).outcome.kind).toBe('completed');
  expect(await harness.reported('approval_requested')).toHaveLength(2);
});

test('a command that the new policy forbids is denied while its approval is pending', async () => {
  const { harness, coordinator, change } = await setUp();
  const asked = harness.submit(coordinator, 'shell', { line: 'touch a' });
  await asked.resting;
  await change({ rules: [{ id: 'no-touch', deny: { program: 'touch' } }] });
  expect((await asked.result).failure?.message).toContain('rule "no-touch"');
  expect(await harness.endingOf(asked)).toEqual(['denied', 'denied', 'denied']);
  expect(harness.requests).toEqual([]);
});

test('a pending command that the new policy allows continues by its rule, and a later answer is rejected', async () => {
  const { harness, coordinator, change } = await setUp();
  const asked = harness.submit(coordinator, 'shell', { line: 'touch a' });
  await asked.resting;
  await change({ rules: [{ id: 'touch', allow: { program: 'touch', args: ['*'] } }] });
  expect((await asked.result).outcome.kind).toBe('completed');
  expect(await harness.record(asked.commandId)).toMatchObject({ ruling: { kind: 'allow', rule: 'touch' } });
  expect(harness.auditLines().at(-1)).toMatchObject({ approved_by: 'auto', rule: 'touch' });
  const { callHash } = await harness.record(asked.commandId);
  if (callHash === null) throw new Error('not judged');
  expect(
    await coordinator.approvals.answer(asked.commandId, { kind: 'deny' }, { by: ANA, expect: callHash }),
  ).toEqual({
    kind: 'unknown',
  });
});

test('a command in the queue is judged by the new policy when its turn comes', async () => {
  const { harness, coordinator, change } = await setUp();
  const { promise: running, resolve: end } = Promise.withResolvers<void>();
  harness.setProgram(async () => {
    await running;
    return anExecution();
  });
  const holders = [1, 2, 3].map(() => harness.submit(coordinator, 'shell', { line: 'ls' }));
  const allowed = harness.submit(coordinator, 'shell', { line: 'ls' });
  const denied = harness.submit(coordinator, 'shell', { line: 'cat a' });
  expect([await allowed.resting, await denied.resting]).toEqual(['queued', 'queued']);
  await change({ rules: [{ id: 'no-cat', deny: { program: 'cat' } }] });
  end();
  await Promise.all(holders.map(({ result }) => result));
  expect((await allowed.result).outcome.kind).toBe('completed');
  expect((await denied.result).failure?.message).toContain('rule "no-cat"');
});

test('a policy that decides the same requests no approval again', async () => {
  const { harness, coordinator, change } = await setUp();
  const asked = harness.submit(coordinator, 'shell', { line: 'touch a' });
  await asked.resting;
  await change({});
  expect(await harness.reported('approval_requested')).toHaveLength(1);
});
