import type { Lease, QueueEntry } from '@signalbox/core';
import type { GrantedCommand } from './scheduler-scripts.ts';

/** The lease of an entry, of which Redis tells only what it has added. */
export function leaseOf(
  { commandId, provider, claims }: QueueEntry,
  grant: GrantedCommand & Pick<Lease, 'leaseId'>,
): Lease {
  const { leaseId, fencingToken, grantedAt, expiresAt } = grant;
  return { leaseId, commandId, provider, claims, fencingToken, grantedAt, expiresAt };
}
