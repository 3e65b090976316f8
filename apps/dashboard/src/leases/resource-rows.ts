import type { Lease } from '@signalbox/core';
import type { QueueView, WaitingView } from '@signalbox/api';
import { nodesOf, overlaps } from '../workspace/resource-nodes.ts';

/** One row: a resource, its holders, and the commands waiting for it, in order of arrival. */
export type ResourceRow = Readonly<{
  resource: string;
  /** Depth in the tree, from 0. */
  depth: number;
  leases: readonly Lease[];
  waiting: readonly WaitingView[];
  /** Something below it is held, but not the resource itself. */
  isPartlyHeld: boolean;
}>;

/** The tree of all held or awaited resources, with the folders between them. */
export function resourceRows({ leases, waiting }: QueueView): readonly ResourceRow[] {
  const named = new Set([
    ...leases.flatMap(({ claims }) => claims.map(({ resource }) => resource as string)),
    ...waiting.flatMap(({ claims }) => claims.map(({ resource }) => resource as string)),
  ]);
  const parents = [...named].filter((name) => name.startsWith('path:') || name.startsWith('tree:'));
  const all = parents.length > 0 ? new Set([...named, 'workspace']) : named;
  for (const name of parents) {
    const nodes = nodesOf(name).slice(1, -1);
    const folder = nodes.join('/');
    if (nodes.length > 0 && !all.has(`path:${folder}`)) all.add(`tree:${folder}`);
  }
  const sorted = [...all].toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
  return sorted.map((resource) => {
    const own = leases.filter(({ claims }) => claims.some((claim) => claim.resource === resource));
    return {
      resource,
      depth: depthOf(resource, sorted),
      leases: own,
      waiting: waiting.filter(({ claims }) => claims.some((claim) => claim.resource === resource)),
      isPartlyHeld:
        own.length === 0 &&
        leases.some(({ claims }) =>
          claims.some(
            (claim) =>
              overlaps(claim.resource, resource) && nodesOf(claim.resource).length > nodesOf(resource).length,
          ),
        ),
    };
  });
}

function keyOf(resource: string): string {
  const nodes = nodesOf(resource);
  return (nodes[0] === 'workspace' ? '' : '~') + nodes.join('\u0001');
}

/** Number of its ancestors among the shown resources. */
function depthOf(resource: string, shown: readonly string[]): number {
  const nodes = nodesOf(resource);
  return shown.filter(
    (other) =>
      other !== resource &&
      nodesOf(other).length < nodes.length &&
      nodesOf(other).every((node, at) => node === nodes[at]),
  ).length;
}
