import { lineOf, type Train } from '../house/train.ts';
import { waitOf } from '../house/waits.ts';
import { resourceText } from '../house/resource-nodes.ts';

export type GraphNode = Readonly<{
  id: string;
  name: string;
  line: string;
  kind: 'waiting' | 'running' | 'person';
  /** 0 holds; who waits for it stands in 1, and so on, further left. */
  depth: number;
  row: number;
}>;
export type GraphEdge = Readonly<{ from: string; to: string; text: string; kind: 'lease' | 'approval' }>;
export type WaitGraph = Readonly<{
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  columns: number;
}>;

/** The person who is asked, as a node. */
export const YOU = 'you';

/** Who waits for whom: waiter, arrow, holder, from left to right. Only who waits or is waited for. */
export function waitGraphOf(trains: ReadonlyMap<string, Train>): WaitGraph {
  const edges: GraphEdge[] = [];
  for (const train of trains.values()) {
    if (train.state === 'awaiting_approval')
      edges.push({ from: train.id, to: YOU, text: 'approval', kind: 'approval' });
    if (train.state !== 'queued') continue;
    const { claim } = waitOf(train, trains);
    const before = train.blockers.filter((id) => (trains.get(id)?.state ?? 'done') !== 'done');
    const last = before.at(-1);
    const text = claim === null ? '' : resourceText(claim.resource);
    if (last !== undefined) edges.push({ from: train.id, to: last, text, kind: 'lease' });
  }
  const depths = new Map<string, number>();
  const depthOf = (id: string, on: ReadonlySet<string>): number => {
    const known = depths.get(id);
    if (known !== undefined || on.has(id)) return known ?? 0;
    const edge = edges.find(({ from }) => from === id);
    const depth = edge === undefined ? 0 : depthOf(edge.to, new Set([...on, id])) + 1;
    depths.set(id, depth);
    return depth;
  };
  const ids = [...new Set(edges.flatMap(({ from, to }) => [to, from]))];
  const rows = new Map<number, number>();
  const nodes = ids
    .toSorted((a, b) => depthOf(a, new Set()) - depthOf(b, new Set()))
    .map((id): GraphNode => {
      const depth = depthOf(id, new Set());
      const row = rows.get(depth) ?? 0;
      rows.set(depth, row + 1);
      const train = trains.get(id);
      if (train === undefined) return { id, name: 'You', line: '', kind: 'person', depth, row };
      const kind = train.state === 'running' ? 'running' : train.state === 'queued' ? 'waiting' : 'person';
      return { id, name: train.provider, line: lineOf(train), kind, depth, row };
    });
  return { nodes, edges, columns: Math.max(0, ...nodes.map(({ depth }) => depth)) + 1 };
}
