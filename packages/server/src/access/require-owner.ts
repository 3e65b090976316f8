import { RequestRefusedError } from '../problem.ts';
import { OWNER_ID } from './request-origins.ts';
import type { Visitor } from './token-entry.ts';

/** @throws {RequestRefusedError} `owner-only` for a visitor that came over a port. */
export function requireOwner({ tokenId }: Visitor, what: string): void {
  if (tokenId === OWNER_ID) return;
  throw new RequestRefusedError(403, 'owner-only', `Cannot ${what}: only the owner of the workspace may`, {
    why: ['the request came over a port, not over the socket of the workspace'],
    next: ['signalbox serve   there'],
  });
}
