import type { Claim } from '@signalbox/core';
import { resourceText } from '../workspace/resource-nodes.ts';
import type { CommandSummary } from '@signalbox/api';
import { waitOf } from '../workspace/waits.ts';
import { type LaneLayout, shortPath } from './lane-items.ts';

/** A chip right of Now: a held or awaited resource. Pixels, from the left of the column and the top of the diagram. */
export type Chip = Readonly<{
  key: string;
  commandId: string;
  kind: 'held' | 'awaited';
  text: string;
  /** As much of it as fits. */
  shown: string;
  access: Claim['access'] | null;
  left: number;
  width: number;
  /** Middle of its row, and of the chip. */
  rowY: number;
  y: number;
}>;

/** From a waiter's chip to the holder's: one vertical for each contested resource. */
export type LaneRoute = Readonly<{
  key: string;
  waiter: string;
  holder: string;
  from: Chip;
  /** Null: the holder is outside the view, and the route ends at the edge. */
  to: Chip | null;
  vertical: number;
}>;

export type LanePosition = Readonly<{ provider: string; top: number; height: number; layout: LaneLayout }>;

export type HoldColumn = Readonly<{
  chips: readonly Chip[];
  routes: readonly LaneRoute[];
  hidden: number;
  width: number;
}>;

const CHIP_LEFT = 26;
const CHIP_PITCH = 30;
const MONO = 6.95;
const WIDEST_CHIP = 168;
const VERTICAL_PITCH = 14;
/** Space for any chip and a route: the first lease, and the first wait, move nothing. */
const NARROWEST = CHIP_LEFT + WIDEST_CHIP + 2 * VERTICAL_PITCH;
export const MAX_VERTICALS = 6;

/** Middle of a row of a lane, from the lane's top. */
export function rowMiddle({ height, layout }: Pick<LanePosition, 'height' | 'layout'>, row: number): number {
  return (height / layout.rows) * (row + 0.5);
}

/** Chips and routes right of Now, computed from lanes and rows; nothing is measured. */
export function layHolds(
  lanes: readonly LanePosition[],
  summaries: ReadonlyMap<string, CommandSummary>,
): HoldColumn {
  const chips = lanes.flatMap((lane) => chipsOf(lane, summaries));
  const awaited = chips.filter(({ kind }) => kind === 'awaited');
  const right = Math.max(CHIP_LEFT, ...chips.map(({ left, width }) => left + width));
  const verticals = new Map<string, number>();
  const routes: LaneRoute[] = [];
  let hidden = 0;
  for (const from of awaited) {
    const waiter = summaries.get(from.commandId);
    const [holder] = waiter === undefined ? [] : waitOf(waiter, summaries).holders;
    if (holder === undefined) continue;
    const at = verticals.get(from.text) ?? verticals.size;
    if (at >= MAX_VERTICALS) {
      hidden += 1;
      continue;
    }
    verticals.set(from.text, at);
    const to = chips.find((chip) => chip.commandId === holder.id && chip.text === from.text);
    const any = to ?? chips.find((chip) => chip.commandId === holder.id);
    routes.push({
      key: from.key,
      waiter: from.commandId,
      holder: holder.id,
      from,
      to: any ?? null,
      vertical: right + VERTICAL_PITCH * (at + 1),
    });
  }
  const width = Math.max(NARROWEST, right + VERTICAL_PITCH * (verticals.size + 1));
  return { chips, routes, hidden, width };
}

function chipsOf(lane: LanePosition, summaries: ReadonlyMap<string, CommandSummary>): readonly Chip[] {
  return lane.layout.items.flatMap((item) => {
    if (item.kind !== 'block') return [];
    const { summary } = item;
    const rowY = lane.top + rowMiddle(lane, item.row);
    if (summary.state === 'running') {
      const max = lane.layout.rows === 1 ? 2 : 1;
      return boxes(summary, 'held', { words: held(summary.claims, max), rowY });
    }
    if (summary.state !== 'queued') return [];
    const { claim } = waitOf(summary, summaries);
    return claim === null ? [] : boxes(summary, 'awaited', { words: [textOf(claim)], rowY });
  });
}

type Words = Readonly<{ text: string; access: Claim['access'] | null }>;

function textOf({ resource, access }: Claim): Words {
  return { text: resourceText(resource), access };
}

/** Writes before reads; those that don't fit are counted. */
function held(claims: readonly Claim[], max: number): readonly Words[] {
  const sorted = claims.toSorted((a, b) => Number(b.access === 'write') - Number(a.access === 'write'));
  if (sorted.length <= max) return sorted.map(textOf);
  const shown = sorted.slice(0, max - 1).map(textOf);
  return [
    ...shown,
    { text: `${sorted.length - shown.length} ${max === 1 ? '' : 'more '}claims`, access: null },
  ];
}

function boxes(
  summary: CommandSummary,
  kind: Chip['kind'],
  { words, rowY }: Readonly<{ words: readonly Words[]; rowY: number }>,
): readonly Chip[] {
  return words.map(({ text, access }, at) => {
    const around = access === null ? 20 : 54;
    const width = Math.min(WIDEST_CHIP, Math.round(text.length * MONO) + around);
    return {
      key: `${summary.id} ${at}`,
      commandId: summary.id,
      kind,
      text,
      shown: shortPath(text, Math.ceil((width - around) / MONO)),
      access,
      left: CHIP_LEFT,
      width,
      rowY,
      y: rowY + (at - (words.length - 1) / 2) * CHIP_PITCH,
    };
  });
}

/** From a block's head to its chip: corners are cut at 45°. */
export function branchPath({ left, rowY, y }: Chip): string {
  const d = y - rowY;
  return d === 0 ? `M2 ${rowY}H${left}` : `M2 ${rowY}h6l${Math.abs(d)} ${d}H${left}`;
}

const CORNER = 10;

/**
 * Between the waiter's chip and the holder's, along their vertical, or from the edge. Drawn from the holder, so that
 * the dashes of all its waiters coincide.
 */
export function routePath({ from, to, vertical }: LaneRoute): string {
  const end = from.left + from.width;
  if (to === null) return `M${vertical} 0V${from.y - CORNER}l${-CORNER} ${CORNER}H${end}`;
  const start = `M${to.left + to.width + 4} ${to.y}`;
  const turn = Math.min(CORNER, Math.abs(to.y - from.y) / 2);
  const down = to.y < from.y ? turn : -turn;
  return `${start}H${vertical - turn}l${turn} ${down}V${from.y - down}l${-turn} ${down}H${end}`;
}
