import * as z from 'zod';
import { overlaps, Resource } from './resource.ts';

export const Access = z.enum(['read', 'write']);
export type Access = z.infer<typeof Access>;

/**
 * The wish to hold a resource. A writer excludes every other claim on the same, a containing or a contained resource.
 */
export const Claim = z.strictObject({ resource: Resource, access: Access }).readonly();
export type Claim = z.infer<typeof Claim>;

export function readClaim(resource: Resource): Claim {
  return { resource, access: 'read' };
}

export function writeClaim(resource: Resource): Claim {
  return { resource, access: 'write' };
}

/** Whether the two sets of claims can't be held at the same time. Symmetric; two readers never conflict. */
export function claimsConflict(a: readonly Claim[], b: readonly Claim[]): boolean {
  return a.some((mine) =>
    b.some(
      (theirs) =>
        (mine.access === 'write' || theirs.access === 'write') && overlaps(mine.resource, theirs.resource),
    ),
  );
}

/** `write path:src/cart.ts`, as lists and the queue show it. */
export function describeClaim(claim: Claim): string {
  return `${claim.access} ${claim.resource}`;
}
