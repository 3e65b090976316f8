import type { CallContextInput } from '@signalbox/core';
import { aProviderId } from '@signalbox/core/testing';
import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer, Coordinator, Submitted } from '../coordinator-api.ts';
import {
  ANA,
  BEN,
  createHarness,
  questionOf,
  type CoordinatorHarness,
} from '../testing/coordinator-harness.ts';

const EXPIRY_MS = 30 * 60_000;
const LINE = 'bash deploy.sh';
const PAUSES: Partial<CallContextInput> = { pausesOnExpiry: true };

async function ask(
  harness: CoordinatorHarness,
  coordinator: Coordinator,
  {
    context = {},
    line = LINE,
  }: Readonly<{ context?: Partial<CallContextInput>; line?: string | undefined }> = {},
): Promise<Submitted> {
  const submitted = harness.submit(coordinator, 'shell', { line }, context);
  expect(await submitted.resting).toBe('pending');
  return submitted;
}

async function answer(
  harness: CoordinatorHarness,
  coordinator: Coordinator,
  {
    submitted: { commandId },
    say = { kind: 'approve' },
    by = ANA,
  }: Readonly<{ submitted: Submitted; say?: ApprovalAnswer; by?: typeof ANA | typeof BEN }>,
) {
  return coordinator.approvals.answer(commandId, say, {
    by,
    expect: questionOf(await harness.record(commandId)),
  });
}

/** Submits a call of an agent, which gets a result when its approval expires. */
async function askWithoutEffect(
  harness: CoordinatorHarness,
  coordinator: Coordinator,
  { line }: Readonly<{ line?: string }> = {},
): Promise<Submitted> {
  const submitted = await ask(harness, coordinator, { context: {}, line });
  await harness.clock.advance(EXPIRY_MS);
  expect((await submitted.result).failure).toMatchObject({ code: 'approval-expired' });
  return submitted;
}

describe('an approval whose session waits for it (A-MISSING 2, U-M6)', () => {
  test('is paused when its time is over, and continues with a later answer', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    const submitted = await ask(harness, coordinator, { context: PAUSES });
    await harness.clock.advance(EXPIRY_MS);
    const { state, approval } = await harness.record(submitted.commandId);
    expect({ state, status: approval?.status, pausedAt: approval?.pausedAt }).toEqual({
      state: 'awaiting_approval',
      status: 'pending',
      pausedAt: harness.clock.now(),
    });
    expect(await harness.reported('approval_overdue')).toMatchObject([{ commandId: submitted.commandId }]);
    await harness.clock.advance(10 * EXPIRY_MS);
    expect((await answer(harness, coordinator, { submitted })).kind).toBe('granted');
    await submitted.result;
    expect(await harness.endingOf(submitted)).toEqual(['completed', 'completed', 'completed']);
  });

  test('is denied by a later denial like any other', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    const submitted = await ask(harness, coordinator, { context: PAUSES });
    await harness.clock.advance(EXPIRY_MS);
    expect(
      (await answer(harness, coordinator, { submitted, say: { kind: 'deny', reason: 'no' } })).kind,
    ).toBe('refused');
    expect((await submitted.result).failure?.code).toBe('approval-refused');
  });

  test('stays paused over a kill, and its answer still counts', async () => {
    const harness = createHarness();
    const submitted = await ask(harness, await harness.start(), { context: PAUSES });
    await harness.clock.advance(EXPIRY_MS);
    harness.kill();
    const coordinator = await harness.start();
    await harness.clock.advance(EXPIRY_MS);
    expect((await harness.record(submitted.commandId)).approval?.pausedAt).toBeDefined();
    expect((await answer(harness, coordinator, { submitted })).kind).toBe('granted');
    await harness.settle();
    expect((await harness.record(submitted.commandId)).result?.outcome.kind).toBe('completed');
    expect(harness.auditLines()).toHaveLength(1);
  });

  test('is requested again if a file has changed by the time of the answer', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    const submitted = await ask(harness, coordinator, { context: PAUSES });
    await harness.clock.advance(EXPIRY_MS);
    await harness.files.write('deploy.sh', 'echo other\n', { expected: 'absent' });
    expect(await answer(harness, coordinator, { submitted })).toMatchObject({ kind: 'files-changed' });
    expect(harness.requests).toEqual([]);
  });

  test('is denied for good if the settings say so', async () => {
    const harness = createHarness({ approval: { expiry: '5m', on_expiry: 'deny' } });
    const coordinator = await harness.start();
    const submitted = await ask(harness, coordinator, { context: PAUSES });
    await harness.clock.advance(300_000);
    expect((await submitted.result).failure?.message).toBe('No answer within 5 min, so it was denied');
    expect((await answer(harness, coordinator, { submitted })).kind).toBe('already-decided');
    await ask(harness, coordinator);
  });
});

describe('the answer to an approval that an agent no longer waits for (A-MISSING 2)', () => {
  test('is used by its next identical call, once, with one audit line each', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    const first = await askWithoutEffect(harness, coordinator);
    expect((await first.result).content).toContain('The answer is still pending: signalbox approve');
    expect(await answer(harness, coordinator, { submitted: first })).toMatchObject({ kind: 'late' });
    expect(harness.requests).toEqual([]);
    const second = harness.submit(coordinator, 'shell', { line: LINE });
    expect((await second.result).success).toBe(true);
    expect((await harness.record(second.commandId)).approval).toMatchObject({ status: 'granted', by: ANA });
    expect(harness.auditLines()).toMatchObject([
      { command_id: first.commandId, result: 'denied' },
      { command_id: second.commandId, result: 'completed', approved_by: 'ana' },
    ]);
    await ask(harness, coordinator);
  });

  test('survives a restart', async () => {
    const harness = createHarness();
    const before = await harness.start();
    await answer(harness, before, { submitted: await askWithoutEffect(harness, before) });
    harness.kill();
    const second = harness.submit(await harness.start(), 'shell', { line: LINE });
    expect((await second.result).success).toBe(true);
  });

  test('does not apply to another call, another provider or other files', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    await answer(harness, coordinator, { submitted: await askWithoutEffect(harness, coordinator) });
    await ask(harness, coordinator, { context: {}, line: 'bash other.sh' });
    await ask(harness, coordinator, { context: { provider: aProviderId('deepseek') } });
    await harness.files.write('deploy.sh', 'echo other\n', { expected: 'absent' });
    await ask(harness, coordinator);
    expect(harness.requests).toEqual([]);
  });

  test('denies that call if it was a denial, with its reason', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    const first = await askWithoutEffect(harness, coordinator);
    await answer(harness, coordinator, { submitted: first, say: { kind: 'deny', reason: 'not today' } });
    const { outcome, failure } = await harness.submit(coordinator, 'shell', { line: LINE }).result;
    expect(outcome.kind).toBe('denied');
    expect(failure?.message).toContain('not today');
  });

  test('is dropped after a day', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    await answer(harness, coordinator, { submitted: await askWithoutEffect(harness, coordinator) });
    await harness.clock.advance(24 * 3_600_000);
    expect((await ask(harness, coordinator)).status).toBe('pending');
  });

  test('takes two people if the call does', async () => {
    const harness = createHarness({
      rules: [{ id: 'two', ask: { program: 'git', args: ['push', '**'] }, approvers: 2 }],
    });
    const coordinator = await harness.start();
    const first = await askWithoutEffect(harness, coordinator, { line: 'git push' });
    await answer(harness, coordinator, { submitted: first });
    await answer(harness, coordinator, { submitted: first });
    const second = await askWithoutEffect(harness, coordinator, { line: 'git push' });
    await answer(harness, coordinator, { submitted: second, say: { kind: 'approve' }, by: BEN });
    const third = harness.submit(coordinator, 'shell', { line: 'git push' });
    expect((await third.result).success).toBe(true);
    expect((await harness.record(third.commandId)).approval?.grants.map(({ by }) => by)).toEqual([ANA, BEN]);
  });
});

describe('extending an approval', () => {
  test('pushes its expiry back and publishes an event', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    const submitted = await ask(harness, coordinator);
    const more = { kind: 'extend', ms: 300_000 } as const;
    expect(await answer(harness, coordinator, { submitted, say: more })).toMatchObject({ kind: 'extended' });
    expect(await harness.reported('approval_extended')).toMatchObject([
      { commandId: submitted.commandId, by: ANA, expiresAt: harness.clock.now() + EXPIRY_MS + 300_000 },
    ]);
    await harness.clock.advance(EXPIRY_MS + 299_999);
    expect(submitted.status).toBe('pending');
    await harness.clock.advance(1);
    expect((await submitted.result).failure?.code).toBe('approval-expired');
    expect(harness.auditLines()).toHaveLength(1);
  });

  test('also works for a paused approval, which is paused again at the new expiry', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    const submitted = await ask(harness, coordinator, { context: PAUSES });
    await harness.clock.advance(EXPIRY_MS + 60_000);
    await answer(harness, coordinator, { submitted, say: { kind: 'extend', ms: 300_000 } });
    const { approval } = await harness.record(submitted.commandId);
    expect(approval).toMatchObject({ status: 'pending', expiresAt: harness.clock.now() + 300_000 });
    expect(approval).not.toHaveProperty('pausedAt');
    await harness.clock.advance(300_000);
    expect((await harness.record(submitted.commandId)).approval?.pausedAt).toBe(harness.clock.now());
  });

  test('is rejected for a closed approval', async () => {
    const harness = createHarness();
    const coordinator = await harness.start();
    const submitted = await askWithoutEffect(harness, coordinator);
    expect(
      await answer(harness, coordinator, { submitted, say: { kind: 'extend', ms: 1000 } }),
    ).toMatchObject({
      kind: 'already-decided',
    });
  });
});
