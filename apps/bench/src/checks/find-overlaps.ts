import { type Claim, claimsConflict } from '@signalbox/core';
import type { Violation } from './invariant.ts';

/** The interval in which a command held its claims, in any monotonic unit. */
export type HeldClaim = Readonly<{ key: number; claims: readonly Claim[]; from: number; to: number }>;

/** Pairs of conflicting commands that worked at the same time; one may start when the other ends. */
export function findOverlaps(held: readonly HeldClaim[]): readonly Violation[] {
  const violations: Violation[] = [];
  let active: HeldClaim[] = [];
  for (const next of held.toSorted((a, b) => a.from - b.from)) {
    active = active.filter(({ to }) => to > next.from);
    for (const other of active) {
      if (!claimsConflict(other.claims, next.claims)) continue;
      violations.push({
        says: `#${next.key} started while #${other.key} still worked on the same`,
        keys: [other.key, next.key],
      });
    }
    active.push(next);
  }
  return violations;
}
