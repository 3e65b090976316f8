import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/command-text.ts';
import { waitOf } from '../workspace/waits.ts';
import { resourceText } from '../workspace/resource-nodes.ts';

export type GraphNode = Readonly<{
  id: string;
  name: string;
  line: string;
  kind: 'waiting' | 'running' | 'person';
  /** Start of its wait or run, epoch milliseconds; the earliest of several. Null for the person. */
  since: number | null;
  /** 0 for holders, 1 for those that wait for them, and so on, further left. */
  depth: number;
  row: number;
}>;
export type GraphEdge = Readonly<{ from: string; to: string; text: string; kind: 'lease' | 'approval' }>;
export type WaitGraph = Readonly<{
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  columns: number;
}>;

/** The approver, as a node. */
export const YOU = 'you';

/** More approvals of one provider are combined into one node. */
const MAX_ASKING = 2;

/** Edges from waiter to holder, from left to right. Includes only commands that wait or are waited for. */
export function waitGraphOf(summaries: ReadonlyMap<string, CommandSummary>): WaitGraph {
  const asking = askingOf(summaries);
  const edges: GraphEdge[] = [];
  for (const summary of summaries.values()) {
    if (summary.state !== 'queued') continue;
    const { claim } = waitOf(summary, summaries);
    const before = summary.blockers.filter((id) => (summaries.get(id)?.state ?? 'done') !== 'done');
    const last = before.at(-1);
    const text = claim === null ? '' : resourceText(claim.resource);
    if (last !== undefined) edges.push({ from: summary.id, to: last, text, kind: 'lease' });
  }
  for (const from of asking.keys()) edges.push({ from, to: YOU, text: 'approval', kind: 'approval' });
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
      return { ...factsOf(id, asking.get(id) ?? [], summaries.get(id)), depth, row };
    });
  return { nodes, edges, columns: Math.max(0, ...nodes.map(({ depth }) => depth)) + 1 };
}

/** Pending approvals, one node each; many of one provider are combined. */
function askingOf(
  summaries: ReadonlyMap<string, CommandSummary>,
): ReadonlyMap<string, readonly CommandSummary[]> {
  const all = [...summaries.values()].filter(({ state }) => state === 'awaiting_approval');
  const byProvider = Map.groupBy(all, ({ provider }) => provider);
  return new Map(
    [...byProvider].flatMap(([provider, of]): [string, readonly CommandSummary[]][] =>
      of.length > MAX_ASKING ? [[`asking ${provider}`, of]] : of.map((summary) => [summary.id, [summary]]),
    ),
  );
}

type Facts = Omit<GraphNode, 'depth' | 'row'>;

function factsOf(id: string, asking: readonly CommandSummary[], summary: CommandSummary | undefined): Facts {
  const [first] = asking;
  if (first !== undefined) {
    const since = Math.min(...asking.map(({ askedAt, submittedAt }) => askedAt ?? submittedAt));
    const line = asking.length === 1 ? lineOf(first) : `${asking.length} calls`;
    return { id, name: first.provider, line, kind: 'person', since };
  }
  if (summary === undefined) return { id, name: 'You', line: '', kind: 'person', since: null };
  const isRunning = summary.state === 'running';
  const since = (isRunning ? summary.startedAt : summary.queuedAt) ?? summary.submittedAt;
  return {
    id,
    name: summary.provider,
    line: lineOf(summary),
    kind: isRunning ? 'running' : 'waiting',
    since,
  };
}
