import { expect, test } from 'vitest';
import { ANA, anExecution, createStage, FREE } from '../testing/coordinator-stage.ts';

test('a roll-back that fails holds what it claims, degrades the mode and is told (X-43)', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  stage.setProgram(async () =>
    anExecution({ ended: { kind: 'rollback_failed', exitCode: 0, why: ['a.txt stands half-way'] } }),
  );
  const stuck = stage.submit(coordinator, 'shell', { line: 'touch a.txt' });
  const result = await stuck.result;
  expect(result).toMatchObject({ rollback: 'rollback_failed', failure: { code: 'rollback_failed' } });
  expect(stage.auditLines().at(-1)).toMatchObject({ rollback: 'rollback_failed' });
  expect(await stage.told('command_rolled_back')).toMatchObject([
    { commandId: stuck.commandId, how: 'rollback_failed' },
  ]);
  expect(await coordinator.mode()).toMatchObject({ mode: 'DEGRADED' });

  stage.setProgram(async () => anExecution());
  const next = stage.submit(coordinator, 'shell', { line: 'touch a.txt' });
  const other = stage.submit(coordinator, 'shell', { line: 'touch b.txt' });
  for (const submitted of [next, other]) {
    expect(await submitted.resting).toBe('pending');
    const { id, approval } = await stage.record(submitted.commandId);
    if (approval === null) throw new Error('never asked');
    expect((await coordinator.approvals.answer(id, { kind: 'approve' }, ANA, approval.callHash)).kind).toBe(
      'granted',
    );
  }
  expect((await other.result).failure).toBe(null);
  // Its lease expires, and its claims stay held all the same.
  await stage.clock.advance(60_000);
  expect((await stage.record(next.commandId)).state).toBe('queued');
});
