import type { Lease, QueueEntry } from '@signalbox/core';
import type { Grant } from './scheduler-scripts.ts';

/** The lease of an entry, of which Redis tells only what it has added. */
export function leaseOf(
  { commandId, provider, claims }: QueueEntry,
  grant: Grant & Pick<Lease, 'leaseId'>,
): Lease {
  const { leaseId, fencingToken, grantedAt, expiresAt } = grant;
  return { leaseId, commandId, provider, claims, fencingToken, grantedAt, expiresAt };
}
