import {
  type Claim,
  type CommandId,
  type CommandRecord,
  describeClaim,
  type SchedulerSnapshot,
} from '@signalbox/core';
import { cells, column, cutMiddle, fit, gap, lineCells } from '../terminal/cells.ts';
import { idLabels } from '../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { type RenderContext, timer } from '../terminal/render-context.ts';

type Holder = Readonly<{ id: string; provider: string; claims: readonly Claim[]; since: number }>;

/** Holders, and which commands wait for which. */
export type WaitTree = Readonly<{
  holders: readonly Holder[];
  waiting: readonly (Holder & Readonly<{ blockers: readonly string[] }>)[];
}>;

/** One command of the tree. */
type Node = Holder & Readonly<{ waits: boolean; /** Whom else it waits for. */ others: readonly string[] }>;

const NAME = 20;
/** The share of a row that a name may take. */
const WIDEST_NAME = 0.4;
const TIME = 9;
const LONG_WAIT_MS = 60_000;

export function waitGraphOf(
  { leases, waiting }: SchedulerSnapshot,
  commands: ReadonlyMap<CommandId, CommandRecord>,
): WaitTree {
  return {
    holders: leases.map(({ commandId: id, provider, claims, grantedAt }) => ({
      id,
      provider,
      claims,
      since: commands.get(id)?.startedAt ?? grantedAt,
    })),
    waiting: waiting.map(({ commandId: id, ...entry }) => ({ id, ...entry })),
  };
}

/** The wait tree: each command below the last of its blockers, since that one releases it. */
export function waitTree({ holders, waiting }: WaitTree, render: RenderContext): readonly Line[] {
  const drawn = new Set([...holders, ...waiting].map(({ id }) => id));
  const children = new Map<string | null, Node[]>();
  for (const { blockers, ...one } of waiting) {
    const known = blockers.filter((blocker) => drawn.has(blocker) && blocker !== one.id);
    const last = known.at(-1) ?? null;
    const node = { ...one, waits: true, others: known.slice(0, -1) };
    children.set(last, [...(children.get(last) ?? []), node]);
  }
  const label = idLabels(drawn, render);
  const rows: Line[] = [];

  function add(node: Node, indent: number): void {
    rows.push(nodeRow(node, indent, { render, label }));
    for (const child of children.get(node.id) ?? []) add(child, indent + 1);
  }

  for (const holder of holders) add({ ...holder, waits: false, others: [] }, 0);
  const free = children.get(null) ?? [];
  if (free.length > 0) rows.push(line(muted('waiting for a free slot')));
  for (const node of free) add(node, 1);
  return rows.length === 0 ? [line('No leases held, nothing waiting')] : rows;
}

function nodeRow(
  { id, provider, claims, since, waits, others }: Node,
  indent: number,
  { render, label }: Readonly<{ render: RenderContext; label: (id: string) => string }>,
): Line {
  const passed = render.now - since;
  const also = others.length === 0 ? '' : `  also behind ${others.map(label).join(', ')}`;
  const whole = `${label(id)} ${provider}`;
  const name = cutMiddle(whole, Math.max(NAME, render.width * WIDEST_NAME));
  const head = line(
    gap(Math.max(0, indent - 1) * 2),
    muted(indent === 0 ? '' : '└ '),
    column(name, Math.max(NAME, cells(name)), { role: waits ? 'text' : 'bold' }),
    ' ',
  );
  const time = as(waits && passed > LONG_WAIT_MS ? 'warn' : 'muted', timer(passed).padStart(TIME));
  const wants = claims.length === 0 ? 'a slot' : claims.map(describeClaim).join(', ');
  if (render.width === Infinity) return line(head, wants, ' ', time, muted(also));
  const room = Math.max(8, render.width - lineCells(head) - TIME);
  return fit(line(head, column(cutMiddle(`${wants}${also}`, room), room), time), render.width);
}
