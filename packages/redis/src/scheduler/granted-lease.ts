import type { Lease, QueueEntry } from '@signalbox/core';
import type { GrantedCommand } from './scheduler-scripts.ts';

/** Builds the lease of an entry from the fields that Redis adds. */
export function grantedLease(
  { commandId, provider, claims }: QueueEntry,
  grant: GrantedCommand & Pick<Lease, 'leaseId'>,
): Lease {
  const { leaseId, fencingToken, grantedAt, expiresAt } = grant;
  return { leaseId, commandId, provider, claims, fencingToken, grantedAt, expiresAt };
}
