import { CommandId, Lease, LeaseId } from '@signalbox/core';
import { revokeLease } from '@signalbox/coordinator';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const Revoked = z.strictObject({
  kind: z
    .enum(['cancelled', 'stopping'])
    .describe('`cancelled`: it had not begun. `stopping`: the next holds it when its process is dead'),
  commandId: CommandId,
});

/** Leases: who holds what, and taking it from them. */
export function leaseRoutes(app: Routes, { coordinator }: RouteParts): void {
  app.get(
    '/api/leases',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Who holds what, until when',
        tags: ['house'],
        response: { 200: z.strictObject({ leases: z.array(Lease) }), default: Problem },
      },
    },
    async () => ({ leases: [...(await coordinator.queue()).leases] }),
  );

  app.post(
    '/api/leases/:id/revoke',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Take a lease from who holds it',
        description:
          'Its command is cancelled. What it claims stays held until its process is dead, and goes to the next then.',
        tags: ['house'],
        params: z.object({ id: LeaseId }),
        body: z.strictObject({ reason: z.string().trim().min(1).max(500).optional() }).nullish(),
        response: { 200: Revoked, default: Problem },
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
  return new RequestRefusedError(404, 'unknown-lease', `Cannot revoke ${id}: nobody holds it any more`, {
    next: ['GET /api/leases lists who holds what'],
  });
}

function alreadyOver(id: LeaseId, command: CommandId): RequestRefusedError {
  return new RequestRefusedError(409, 'already-done', `Cannot revoke ${id}: ${command} is over`, {
    why: ['it is given back in this moment, or held until files that stand half-way are taken back'],
    next: ['`stuck` of GET /api/queue says of whom files stand half-way'],
  });
}
