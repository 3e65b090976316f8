import { type Claim, nodesOf } from '@signalbox/core';
import type { Violation } from './invariant.ts';

/** A command that started: when it was sent, seen accepted, and started, in any monotonic unit. */
export type QueuedArrival = Readonly<{
  key: number;
  claims: readonly Claim[];
  submitted: number;
  /** Null when it was not observed. */
  rested: number | null;
  started: number;
}>;

/** Of the commands that started later, the one accepted earliest. */
type Earliest = { readonly key: number; readonly rested: number };

/**
 * Commands that started before a conflicting one that was queued before they were sent.
 *
 * Goes from the last start to the first, and keeps for each node of the tree the earliest arrival among commands that
 * claim it or something below it: linear in the number of commands.
 */
export function findOvertakers(arrivals: readonly QueuedArrival[]): readonly Violation[] {
  const violations: Violation[] = [];
  const at = { any: new Map<string, Earliest>(), write: new Map<string, Earliest>() };
  const below = { any: new Map<string, Earliest>(), write: new Map<string, Earliest>() };

  const overtakenBy = ({ key, claims, submitted }: QueuedArrival): number | null => {
    for (const { resource, access } of claims) {
      const kind = access === 'write' ? 'any' : 'write';
      const names = namesOf(resource);
      const own = names.at(-1) ?? '';
      for (const earliest of [...names.map((name) => at[kind].get(name)), below[kind].get(own)]) {
        if (earliest !== undefined && earliest.rested < submitted && earliest.key !== key)
          return earliest.key;
      }
    }
    return null;
  };

  const note = ({ key, claims, rested }: QueuedArrival): void => {
    if (rested === null) return;
    for (const { resource, access } of claims) {
      const names = namesOf(resource);
      const kinds = access === 'write' ? (['any', 'write'] as const) : (['any'] as const);
      for (const kind of kinds) {
        keepEarliest(at[kind], names.at(-1) ?? '', { key, rested });
        for (const name of names.slice(0, -1)) keepEarliest(below[kind], name, { key, rested });
      }
    }
  };

  for (const next of arrivals.toSorted((a, b) => b.started - a.started)) {
    const overtaken = overtakenBy(next);
    if (overtaken !== null)
      violations.push({
        says: `#${next.key} went out after #${overtaken} was in the queue for the same, and started before it`,
        keys: [overtaken, next.key],
      });
    note(next);
  }
  return violations;
}

function keepEarliest(map: Map<string, Earliest>, name: string, candidate: Earliest): void {
  const known = map.get(name);
  if (known === undefined || candidate.rested < known.rested) map.set(name, candidate);
}

/**
 * The resource and everything that contains it, from the root down; cached, since few resources are looked up often.
 */
function namesOf(resource: Claim['resource']): readonly string[] {
  const known = NAMES.get(resource);
  if (known !== undefined) return known;
  const nodes = nodesOf(resource);
  const names = nodes.map((_, depth) => nodes.slice(0, depth + 1).join('/'));
  if (NAMES.size < MAX_NAMES) NAMES.set(resource, names);
  return names;
}

const MAX_NAMES = 100_000;
const NAMES = new Map<string, readonly string[]>();
