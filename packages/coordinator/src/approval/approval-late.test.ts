import type { CallContextInput } from '@signalbox/core';
import { aProviderId } from '@signalbox/core/testing';
import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer, Coordinator, Submitted } from '../coordinator-api.ts';
import { ANA, BEN, createStage, questionOf, type Stage } from '../testing/coordinator-stage.ts';

const EXPIRY_MS = 30 * 60_000;
const LINE = 'bash deploy.sh';
const PAUSES: Partial<CallContextInput> = { pausesOnExpiry: true };

async function ask(
  stage: Stage,
  coordinator: Coordinator,
  context: Partial<CallContextInput> = {},
  line = LINE,
): Promise<Submitted> {
  const submitted = stage.submit(coordinator, 'shell', { line }, context);
  expect(await submitted.resting).toBe('pending');
  return submitted;
}

async function answer(
  stage: Stage,
  coordinator: Coordinator,
  { commandId }: Submitted,
  say: ApprovalAnswer = { kind: 'approve' },
  by: typeof ANA | typeof BEN = ANA,
) {
  return coordinator.approvals.answer(commandId, say, by, questionOf(await stage.record(commandId)));
}

/** Of an agent, which is told when its question expires. */
async function askInVain(stage: Stage, coordinator: Coordinator, line?: string): Promise<Submitted> {
  const submitted = await ask(stage, coordinator, {}, line);
  await stage.clock.advance(EXPIRY_MS);
  expect((await submitted.result).failure).toMatchObject({ code: 'approval-expired' });
  return submitted;
}

describe('a question whose session waits for it (A-MISSING 2, U-M6)', () => {
  test('is paused when its time is over, and goes on with the answer that comes later', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    const submitted = await ask(stage, coordinator, PAUSES);
    await stage.clock.advance(EXPIRY_MS);
    const { state, approval } = await stage.record(submitted.commandId);
    expect({ state, status: approval?.status, pausedAt: approval?.pausedAt }).toEqual({
      state: 'awaiting_approval',
      status: 'pending',
      pausedAt: stage.clock.now(),
    });
    expect(await stage.told('approval_overdue')).toMatchObject([{ commandId: submitted.commandId }]);
    await stage.clock.advance(10 * EXPIRY_MS);
    expect((await answer(stage, coordinator, submitted)).kind).toBe('granted');
    await submitted.result;
    expect(await stage.endingOf(submitted)).toEqual(['completed', 'completed', 'completed']);
  });

  test('is denied by a later no like any other', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    const submitted = await ask(stage, coordinator, PAUSES);
    await stage.clock.advance(EXPIRY_MS);
    expect((await answer(stage, coordinator, submitted, { kind: 'deny', reason: 'no' })).kind).toBe(
      'refused',
    );
    expect((await submitted.result).failure?.code).toBe('approval-refused');
  });

  test('stays paused over a kill, and its answer still counts', async () => {
    const stage = createStage();
    const submitted = await ask(stage, await stage.start(), PAUSES);
    await stage.clock.advance(EXPIRY_MS);
    stage.kill();
    const coordinator = await stage.start();
    await stage.clock.advance(EXPIRY_MS);
    expect((await stage.record(submitted.commandId)).approval?.pausedAt).toBeDefined();
    expect((await answer(stage, coordinator, submitted)).kind).toBe('granted');
    await stage.settle();
    expect((await stage.record(submitted.commandId)).result?.outcome.kind).toBe('completed');
    expect(stage.auditLines()).toHaveLength(1);
  });

  test('is asked again when a file has changed by the time of the answer', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    const submitted = await ask(stage, coordinator, PAUSES);
    await stage.clock.advance(EXPIRY_MS);
    await stage.files.write('deploy.sh', 'echo other\n', 'absent');
    expect(await answer(stage, coordinator, submitted)).toMatchObject({ kind: 'files-changed' });
    expect(stage.requests).toEqual([]);
  });

  test('is denied for good where the settings say so', async () => {
    const stage = createStage({ approval: { expiry: '5m', on_expiry: 'deny' } });
    const coordinator = await stage.start();
    const submitted = await ask(stage, coordinator, PAUSES);
    await stage.clock.advance(300_000);
    expect((await submitted.result).failure?.message).toBe('Nobody answered within 5 min, so it was denied');
    expect((await answer(stage, coordinator, submitted)).kind).toBe('already-decided');
    await ask(stage, coordinator);
  });
});

describe('the answer to a question that an agent no longer waits for (A-MISSING 2)', () => {
  test('is used by its next identical call, once, with one audit line each', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    const first = await askInVain(stage, coordinator);
    expect((await first.result).content).toContain('The answer is still pending: signalbox approve');
    expect(await answer(stage, coordinator, first)).toMatchObject({ kind: 'late' });
    expect(stage.requests).toEqual([]);
    const second = stage.submit(coordinator, 'shell', { line: LINE });
    expect((await second.result).success).toBe(true);
    expect((await stage.record(second.commandId)).approval).toMatchObject({ status: 'granted', by: ANA });
    expect(stage.auditLines()).toMatchObject([
      { command_id: first.commandId, result: 'denied' },
      { command_id: second.commandId, result: 'completed', approved_by: 'ana' },
    ]);
    await ask(stage, coordinator);
  });

  test('survives a restart', async () => {
    const stage = createStage();
    const before = await stage.start();
    await answer(stage, before, await askInVain(stage, before));
    stage.kill();
    const second = stage.submit(await stage.start(), 'shell', { line: LINE });
    expect((await second.result).success).toBe(true);
  });

  test('counts for no other call, no other provider, and no other files', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    await answer(stage, coordinator, await askInVain(stage, coordinator));
    await ask(stage, coordinator, {}, 'bash other.sh');
    await ask(stage, coordinator, { provider: aProviderId('deepseek') });
    await stage.files.write('deploy.sh', 'echo other\n', 'absent');
    await ask(stage, coordinator);
    expect(stage.requests).toEqual([]);
  });

  test('denies that call when it was no, with its reason', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    const first = await askInVain(stage, coordinator);
    await answer(stage, coordinator, first, { kind: 'deny', reason: 'not today' });
    const { outcome, failure } = await stage.submit(coordinator, 'shell', { line: LINE }).result;
    expect(outcome.kind).toBe('denied');
    expect(failure?.message).toContain('not today');
  });

  test('is forgotten after a day', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    await answer(stage, coordinator, await askInVain(stage, coordinator));
    await stage.clock.advance(24 * 3_600_000);
    expect((await ask(stage, coordinator)).status).toBe('pending');
  });

  test('takes two people where the call does', async () => {
    const stage = createStage({
      rules: [{ id: 'two', ask: { program: 'git', args: ['push', '**'] }, approvers: 2 }],
    });
    const coordinator = await stage.start();
    const first = await askInVain(stage, coordinator, 'git push');
    await answer(stage, coordinator, first);
    await answer(stage, coordinator, first);
    const second = await askInVain(stage, coordinator, 'git push');
    await answer(stage, coordinator, second, { kind: 'approve' }, BEN);
    const third = stage.submit(coordinator, 'shell', { line: 'git push' });
    expect((await third.result).success).toBe(true);
    expect((await stage.record(third.commandId)).approval?.grants.map(({ by }) => by)).toEqual([ANA, BEN]);
  });
});

describe('more time', () => {
  test('pushes the expiry back, told to everybody', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    const submitted = await ask(stage, coordinator);
    const more = { kind: 'extend', ms: 300_000 } as const;
    expect(await answer(stage, coordinator, submitted, more)).toMatchObject({ kind: 'extended' });
    expect(await stage.told('approval_extended')).toMatchObject([
      { commandId: submitted.commandId, by: ANA, expiresAt: stage.clock.now() + EXPIRY_MS + 300_000 },
    ]);
    await stage.clock.advance(EXPIRY_MS + 299_999);
    expect(submitted.status).toBe('pending');
    await stage.clock.advance(1);
    expect((await submitted.result).failure?.code).toBe('approval-expired');
    expect(stage.auditLines()).toHaveLength(1);
  });

  test('runs on for a paused question, which is paused again at its end', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    const submitted = await ask(stage, coordinator, PAUSES);
    await stage.clock.advance(EXPIRY_MS + 60_000);
    await answer(stage, coordinator, submitted, { kind: 'extend', ms: 300_000 });
    const { approval } = await stage.record(submitted.commandId);
    expect(approval).toMatchObject({ status: 'pending', expiresAt: stage.clock.now() + 300_000 });
    expect(approval).not.toHaveProperty('pausedAt');
    await stage.clock.advance(300_000);
    expect((await stage.record(submitted.commandId)).approval?.pausedAt).toBe(stage.clock.now());
  });

  test('can’t be given to a question that is closed', async () => {
    const stage = createStage();
    const coordinator = await stage.start();
    const submitted = await askInVain(stage, coordinator);
    expect(await answer(stage, coordinator, submitted, { kind: 'extend', ms: 1000 })).toMatchObject({
      kind: 'already-decided',
    });
  });
});
