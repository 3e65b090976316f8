import { type Line, line, muted } from '../../../terminal/line.ts';
import type { ShownLane } from './lane-list.ts';

/** As many lanes as fit, including the selected one, and those that don't. */
export function laneWindow(
  lanes: readonly ShownLane[],
  selected: string | null,
  { max }: Readonly<{ max: number }>,
): Readonly<{ shown: readonly ShownLane[]; hidden: readonly ShownLane[] }> {
  if (lanes.length <= max) return { shown: lanes, hidden: [] };
  const at = lanes.findIndex(({ lane }) => lane.id === selected);
  const start = Math.min(Math.max(0, at - max + 1), lanes.length - max);
  const end = start + max;
  return { shown: lanes.slice(start, end), hidden: [...lanes.slice(0, start), ...lanes.slice(end)] };
}

/** The same in that many rows, one of which counts the hidden lanes, if any. */
export function lanesThatFit(
  lanes: readonly ShownLane[],
  selected: string | null,
  { rows }: Readonly<{ rows: number }>,
): ReturnType<typeof laneWindow> {
  return laneWindow(lanes, selected, { max: lanes.length <= rows ? rows : Math.max(1, rows - 1) });
}

/** ` 12 ended (e): 10 finished, 2 out of turns`; empty if there are none, or all are shown. */
export function foldedLanes(folded: readonly ShownLane[]): readonly Line[] {
  if (folded.length === 0) return [];
  return [line(muted(` ${folded.length} ended (e): ${wordCounts(folded)}`))];
}

/** ` 25 more of 30 lanes: 2 ask, 3 run, 20 idle   ↑↓ scroll, s by need`; empty if all are shown. */
export function hiddenLanes(hidden: readonly ShownLane[], all: number): readonly Line[] {
  if (hidden.length === 0) return [];
  return [
    line(muted(` ${hidden.length} more of ${all} lanes: ${wordCounts(hidden)}   ↑↓ scroll, s by need`)),
  ];
}

function wordCounts(lanes: readonly ShownLane[]): string {
  const words = Map.groupBy(lanes, ({ doing: { word } }) => word);
  return [...words].map(([word, { length }]) => `${length} ${word}`).join(', ');
}
