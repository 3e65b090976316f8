import { type CommandId, describeClaim, type Lease, type LeaseId } from '@signalbox/core';
import type { CancelAnswer } from './coordinator-api.ts';

export type RevokeAnswer =
  /** `cancelled`: it had not begun and is done now. `stopping`: its process is being stopped. */
  | { readonly kind: 'cancelled' | 'stopping'; readonly commandId: CommandId }
  /** Its command is over: the lease is just being released, or held because its changes are partly applied. */
  | { readonly kind: 'already-done'; readonly commandId: CommandId }
  /** No such lease is held (any more). */
  | { readonly kind: 'unknown' };

/**
 * Revokes a lease by cancelling the command that holds it: its claims stay held until its process is dead, and then go
 * to the next command. The command's audit line names who revoked it, and why.
 */
export async function revokeLease(
  runtime: Holders,
  { id, by, reason }: { readonly id: LeaseId; readonly by: string; readonly reason: string },
): Promise<RevokeAnswer> {
  const lease = (await runtime.queue()).leases.find(({ leaseId }) => leaseId === id);
  if (lease === undefined) return { kind: 'unknown' };
  const { commandId } = lease;
  const { kind } = await runtime.cancel(commandId, { by, reason: whyOf(lease, reason) });
  return kind === 'unknown' ? { kind } : { kind, commandId };
}

/** The coordinator, or another process's client for it. */
type Holders = {
  readonly queue: () => Promise<{ readonly leases: readonly Lease[] }>;
  readonly cancel: (
    id: CommandId,
    options: Readonly<{ by: string; reason: string }>,
  ) => Promise<Pick<CancelAnswer, 'kind'>>;
};

/** A longer list of claims is not helpful. */
const MAX_NAMED = 3;

function whyOf({ claims }: Lease, reason: string): string {
  const named = claims.slice(0, MAX_NAMED).map(describeClaim).join(', ');
  const more = claims.length > MAX_NAMED ? ` and ${claims.length - MAX_NAMED} more` : '';
  return `its lease (${named === '' ? 'a slot' : named}${more}) was revoked: ${reason}`;
}
