import type { Lease } from '@signalbox/core';
import { aLeaseId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { Coordinator } from './coordinator-api.ts';
import { revokeLease } from './revoke-lease.ts';
import { anExecution, createHarness, FREE } from './testing/coordinator-harness.ts';

const BY = { by: 'mira', reason: 'it hangs' } as const;

async function onlyLease(coordinator: Coordinator): Promise<Lease> {
  const [lease] = (await coordinator.queue()).leases;
  if (lease === undefined) throw new Error('nobody holds anything');
  return lease;
}

test('a revoked lease goes to the next command only when its holder’s process is dead', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const [reported, dead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  harness.setProgram(async (_request, { signal }) => {
    signal.addEventListener('abort', () => reported.resolve());
    await dead.promise;
    return anExecution({ ended: { kind: 'stopped' } });
  });
  const holder = harness.submit(coordinator, 'shell', { line: 'touch a' });
  await harness.settle();
  const next = harness.submit(coordinator, 'hold', { path: 'a' });
  await harness.settle();
  expect(next.status).toBe('queued');

  const { leaseId: id } = await onlyLease(coordinator);
  const { commandId } = holder;
  expect(await revokeLease(coordinator, { id, ...BY })).toEqual({ kind: 'stopping', commandId });
  await reported.promise;
  await harness.settle();
  expect([holder.status, next.status]).toEqual(['running', 'queued']);

  dead.resolve();
  expect((await holder.result).outcome).toMatchObject({
    kind: 'cancelled',
    failure: { message: 'Cancelled by mira: its lease (write path:a) was revoked: it hangs' },
  });
  await harness.settle();
  expect(next.status).toBe('running');
  expect(harness.auditLines()).toMatchObject([
    { command_id: commandId, result: 'cancelled', error_detail: expect.stringContaining('by mira') },
  ]);
});

test('a lease without a holder, or of a command that is over, is not revoked', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  expect(await revokeLease(coordinator, { id: aLeaseId('gone'), ...BY })).toEqual({ kind: 'unknown' });
  const holder = harness.submit(coordinator, 'hold', { path: 'a' });
  await harness.settle();
  const lease = await onlyLease(coordinator);
  harness.tools.release(holder.commandId);
  await holder.result;
  const { leaseId: id, commandId } = lease;
  const late = { queue: async () => ({ leases: [lease] }), cancel: coordinator.cancel };
  expect(await revokeLease(late, { id, ...BY })).toEqual({ kind: 'already-done', commandId });
  expect(await revokeLease(coordinator, { id, ...BY })).toEqual({ kind: 'unknown' });
  expect((await holder.result).outcome.kind).toBe('completed');
});
