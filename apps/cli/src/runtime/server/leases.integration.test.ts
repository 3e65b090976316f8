import type { Lease } from '@signalbox/core';
import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';

test('only an operator revokes a lease: its process is stopped, and the audit log has who and why', async () => {
  await using own = await openTestServer();
  const tokenOf = async (role: 'approver' | 'operator', name: string): Promise<string> =>
    (await own.of.tokens.create({ kind: 'made', name, role, provider: null, lifetimeMs: null })).token;
  const holder = own.of.submit('openai', 'bash', { args: { line: 'sleep 60' } });
  await own.of.event('command_started', ({ commandId }) => commandId === holder.commandId);
  const [lease] = (await own.ask<{ leases: Lease[] }>('GET', '/api/leases')).body.leases;
  expect(lease?.commandId).toBe(holder.commandId);
  const path = `/api/leases/${lease?.leaseId}/revoke`;
  const body = { reason: 'it hangs' };
  expect(await own.ask('POST', path, { token: await tokenOf('approver', 'ben'), body })).toMatchObject({
    status: 403,
    body: { code: 'not-allowed' },
  });
  expect((await own.of.runtime.store.get(holder.commandId))?.state).toBe('running');
  expect(await own.ask('POST', path, { token: await tokenOf('operator', 'mira'), body })).toMatchObject({
    status: 200,
    body: { kind: 'stopping', commandId: holder.commandId },
  });
  expect((await holder.result).outcome.kind).toBe('cancelled');
  expect(own.of.auditLines()).toMatchObject([
    {
      result: 'cancelled',
      error_detail: expect.stringMatching(/^Cancelled by mira: its lease .* it hangs$/),
    },
  ]);
  expect(await own.ask('POST', path, { body })).toMatchObject({
    status: 404,
    body: { code: 'unknown-lease', next: [expect.stringContaining('/api/leases')] },
  });
});
