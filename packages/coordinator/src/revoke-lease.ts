import { type CommandId, describeClaim, type Lease, type LeaseId } from '@signalbox/core';
import type { CancelAnswer } from './coordinator-api.ts';

export type RevokeAnswer =
  /** `cancelled`: it had not begun and is done now. `stopping`: its process is being stopped. */
  | { readonly kind: 'cancelled' | 'stopping'; readonly commandId: CommandId }
  /** Its command is over: the lease is given back in this moment, or held since its files stand half-way. */
  | { readonly kind: 'already-done'; readonly commandId: CommandId }
  /** Nobody holds such a lease, or nobody does any more. */
  | { readonly kind: 'unknown' };

/**
 * Takes a lease from who holds it, which is to cancel its command: what it claims stays held until its process is
 * dead, and goes to the next then. The audit line of the command names who revoked it, and why.
 */
export async function revokeLease(
  runtime: Holders,
  { id, by, reason }: { readonly id: LeaseId; readonly by: string; readonly reason: string },
): Promise<RevokeAnswer> {
  const lease = (await runtime.queue()).leases.find(({ leaseId }) => leaseId === id);
  if (lease === undefined) return { kind: 'unknown' };
  const { commandId } = lease;
  const { kind } = await runtime.cancel(commandId, by, whyOf(lease, reason));
  return kind === 'unknown' ? { kind } : { kind, commandId };
}

/** The coordinator, or what another process sees and tells of it. */
type Holders = {
  readonly queue: () => Promise<{ readonly leases: readonly Lease[] }>;
  readonly cancel: (id: CommandId, by: string, reason: string) => Promise<Pick<CancelAnswer, 'kind'>>;
};

/** More claims than these say nothing more to anybody. */
const MOST_NAMED = 3;

function whyOf({ claims }: Lease, reason: string): string {
  const named = claims.slice(0, MOST_NAMED).map(describeClaim).join(', ');
  const more = claims.length > MOST_NAMED ? ` and ${claims.length - MOST_NAMED} more` : '';
  return `its lease (${named === '' ? 'a place' : named}${more}) was revoked: ${reason}`;
}
