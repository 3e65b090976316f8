import { type Files, SandboxError } from '@signalbox/core';
import { expect, test } from 'vitest';
import { readQueue } from '../monitor/queue-of-records.ts';
import { readStuckCommands } from '../monitor/stuck-commands.ts';
import { ANA, anExecution, createHarness, FREE } from '../testing/coordinator-harness.ts';

test('a failed rollback keeps its claims held, degrades the mode and is reported (X-43)', async () => {
  const harness = createHarness(FREE);
  const takeBack = () => Promise.reject(new SandboxError('Cannot take back'));
  const coordinator = await harness.start({ files: { ...harness.files, takeBack } });
  harness.setProgram(async () =>
    anExecution({ ended: { kind: 'rollback_failed', exitCode: 0, why: ['a.txt stands half-way'] } }),
  );
  const stuck = harness.submit(coordinator, 'shell', { line: 'touch a.txt' });
  const result = await stuck.result;
  expect(result).toMatchObject({ rollback: 'rollback_failed', failure: { code: 'rollback_failed' } });
  expect(harness.auditLines().at(-1)).toMatchObject({ rollback: 'rollback_failed' });
  expect(await harness.reported('command_rolled_back')).toMatchObject([
    { commandId: stuck.commandId, how: 'rollback_failed' },
  ]);
  expect(await coordinator.mode()).toMatchObject({ mode: 'DEGRADED' });

  harness.setProgram(async () => anExecution());
  const next = harness.submit(coordinator, 'shell', { line: 'touch a.txt' });
  const other = harness.submit(coordinator, 'shell', { line: 'touch b.txt' });
  for (const submitted of [next, other]) {
    expect(await submitted.resting).toBe('pending');
    const { id, approval } = await harness.record(submitted.commandId);
    if (approval === null) throw new Error('never asked');
    expect(
      (await coordinator.approvals.answer(id, { kind: 'approve' }, { by: ANA, expect: approval.callHash }))
        .kind,
    ).toBe('granted');
  }
  expect((await other.result).failure).toBe(null);
  // Its lease expires, and its claims stay held.
  await harness.clock.advance(60_000);
  expect((await harness.record(next.commandId)).state).toBe('queued');
});

test('the rollback of partly applied changes is retried, and releases the claims when it succeeds (X-43)', async () => {
  const harness = createHarness(FREE);
  let fixed = false;
  const tried: number[] = [];
  const files: Files = {
    ...harness.files,
    async takeBack() {
      tried.push(harness.clock.now());
      if (!fixed) throw new SandboxError('Cannot take back', { why: ['the disk is full'] });
    },
  };
  const coordinator = await harness.start({ files });
  harness.setProgram(async () =>
    anExecution({ ended: { kind: 'rollback_failed', exitCode: 0, why: ['a.txt stands half-way'] } }),
  );
  const { commandId, result } = harness.submit(coordinator, 'shell', { line: 'touch a.txt' });
  const next = harness.submit(coordinator, 'shell', { line: 'touch a.txt' });
  await result;
  const began = harness.clock.now();
  await harness.clock.advance(20_000);
  expect(tried.map((at) => at - began)).toEqual([5000, 15_000]);
  expect(await readStuckCommands(harness.facts)).toMatchObject([
    { command: commandId, why: 'Cannot take back: the disk is full' },
  ]);
  expect((await coordinator.queue()).leases).toMatchObject([{ commandId }]);
  expect(await readQueue(harness)).toMatchObject({
    leases: [{ commandId }],
    waiting: [{ commandId: next.commandId, blockers: [commandId] }],
  });

  fixed = true;
  await harness.clock.advance(20_000);
  expect(await readStuckCommands(harness.facts)).toEqual([]);
  expect((await harness.record(next.commandId)).state).toBe('awaiting_approval');
  expect((await coordinator.queue()).leases).toEqual([]);
  expect(await harness.reported('command_rolled_back')).toMatchObject([
    { how: 'rollback_failed' },
    { how: 'rolled_back' },
  ]);
});
