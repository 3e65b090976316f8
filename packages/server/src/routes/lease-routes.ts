import { listLeases, revokeLease as revokeOperation } from '@signalbox/api';
import type { CommandId, LeaseId } from '@signalbox/core';
import { revokeLease } from '@signalbox/coordinator';
import { visitorOfRequest } from '../access/authenticate.ts';
import { RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** Leases: list and revoke. */
export function leaseRoutes(app: Routes, { coordinator }: RouteParts): void {
  app.get(
    listLeases.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Held resources, by command, with their expiry',
        tags: ['workspace'],
        ...listLeases.schema,
      },
    },
    async () => ({ leases: (await coordinator.queue()).leases }),
  );

  app.post(
    revokeOperation.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Revoke a lease',
        description:
          'Its command is cancelled. Its claims stay held until its process has exited, then go to the next command.',
        tags: ['workspace'],
        ...revokeOperation.schema,
      },
    },
    async (request) => {
      const { id } = request.params;
      const { name: by } = visitorOfRequest(request);
      const reason = request.body?.reason ?? 'no reason given';
      const answer = await revokeLease(coordinator, { id, by, reason });
      if (answer.kind === 'unknown') throw unknownLease(id);
      if (answer.kind === 'already-done') throw alreadyOver(id, answer.commandId);
      return { kind: answer.kind, commandId: answer.commandId };
    },
  );
}

function unknownLease(id: LeaseId): RequestRefusedError {
  return new RequestRefusedError(404, 'unknown-lease', `Cannot revoke ${id}: it is no longer held`, {
    next: ['GET /api/leases lists all leases'],
  });
}

function alreadyOver(id: LeaseId, command: CommandId): RequestRefusedError {
  return new RequestRefusedError(409, 'already-done', `Cannot revoke ${id}: ${command} has finished`, {
    why: ['it is being released, or held until the partly applied files are rolled back'],
    next: ['`stuck` of GET /api/queue lists partly applied commands'],
  });
}
