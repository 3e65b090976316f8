import type { Lease } from '@signalbox/core';
import { aLeaseId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { Coordinator } from './coordinator-api.ts';
import { revokeLease } from './revoke-lease.ts';
import { anExecution, createStage, FREE } from './testing/coordinator-stage.ts';

const BY = { by: 'mira', reason: 'it hangs' } as const;

async function onlyLease(coordinator: Coordinator): Promise<Lease> {
  const [lease] = (await coordinator.queue()).leases;
  if (lease === undefined) throw new Error('nobody holds anything');
  return lease;
}

test('a revoked lease goes to the next when the process of its holder is dead, and not before', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const [told, dead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  stage.setProgram(async (_request, { signal }) => {
    signal.addEventListener('abort', () => told.resolve());
    await dead.promise;
    return anExecution({ ended: { kind: 'stopped' } });
  });
  const holder = stage.submit(coordinator, 'shell', { line: 'touch a' });
  await stage.settle();
  const next = stage.submit(coordinator, 'hold', { path: 'a' });
  await stage.settle();
  expect(next.status).toBe('queued');

  const { leaseId: id } = await onlyLease(coordinator);
  const { commandId } = holder;
  expect(await revokeLease(coordinator, { id, ...BY })).toEqual({ kind: 'stopping', commandId });
  await told.promise;
  await stage.settle();
  expect([holder.status, next.status]).toEqual(['running', 'queued']);

  dead.resolve();
  expect((await holder.result).outcome).toMatchObject({
    kind: 'cancelled',
    failure: { message: 'Cancelled by mira: its lease (write path:a) was revoked: it hangs' },
  });
  await stage.settle();
  expect(next.status).toBe('running');
  expect(stage.auditLines()).toMatchObject([
    { command_id: commandId, result: 'cancelled', error_detail: expect.stringContaining('by mira') },
  ]);
});

test('a lease that nobody holds is not revoked, nor is one whose command is over', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  expect(await revokeLease(coordinator, { id: aLeaseId('gone'), ...BY })).toEqual({ kind: 'unknown' });
  const holder = stage.submit(coordinator, 'hold', { path: 'a' });
  await stage.settle();
  const lease = await onlyLease(coordinator);
  stage.tools.letGo(holder.commandId);
  await holder.result;
  const { leaseId: id, commandId } = lease;
  const late = { queue: async () => ({ leases: [lease] }), cancel: coordinator.cancel };
  expect(await revokeLease(late, { id, ...BY })).toEqual({ kind: 'already-done', commandId });
  expect(await revokeLease(coordinator, { id, ...BY })).toEqual({ kind: 'unknown' });
  expect((await holder.result).outcome.kind).toBe('completed');
});
