import type { CommandSummary } from '@signalbox/api';
import { needsAttention } from '../workspace/command-text.ts';

/** Ended commands drawn as one dot of one kind. `left`: of its middle, in pixels. */
export type LaneDot = Readonly<{
  kind: 'bead';
  row: number;
  left: number;
  summaries: readonly CommandSummary[];
}>;

export const DOT_WIDTH = 24;

/**
 * Adds a command that ended later than all others of the row: near a dot of its own kind it is counted, otherwise it is
 * added next to it.
 */
export function withDot(dots: readonly LaneDot[], { row, left, summaries }: LaneDot): readonly LaneDot[] {
  const last = dots.at(-1);
  const isNear = last !== undefined && left - last.left < DOT_WIDTH;
  if (isNear && isBad(last.summaries) === isBad(summaries)) {
    return [...dots.slice(0, -1), { ...last, summaries: [...last.summaries, ...summaries] }];
  }
  return [
    ...dots,
    { kind: 'bead', row, left: Math.max(DOT_WIDTH / 2, isNear ? last.left + DOT_WIDTH : left), summaries },
  ];
}

/** A part of a row for dots: between items drawn at their length, which dots never cover. */
export type Gap = Readonly<{ row: number; from: number; until: number; dots: readonly LaneDot[] }>;

/**
 * Dots pushed past the end of their gap are moved back into it, and push older ones; those that don't fit are counted
 * in its oldest dots. Failures are never hidden among successes.
 */
export function fitDots({ dots, from, until }: Gap): readonly LaneDot[] {
  const max = Math.max(2, Math.floor((until - from) / DOT_WIDTH));
  const surplus = dots.length <= max ? 0 : dots.length - max + 2;
  const fitting = [...foldedOldest(dots.slice(0, surplus)), ...dots.slice(surplus)];
  let limit = until - DOT_WIDTH / 2;
  const positioned: LaneDot[] = [];
  for (const dot of fitting.toReversed()) {
    const left = Math.max(from + DOT_WIDTH / 2, Math.min(dot.left, limit));
    positioned.push(left === dot.left ? dot : { ...dot, left });
    limit = left - DOT_WIDTH;
  }
  return positioned.toReversed();
}

function foldedOldest(dots: readonly LaneDot[]): readonly LaneDot[] {
  return [false, true].flatMap((bad): LaneDot[] => {
    const same = dots.filter(({ summaries }) => isBad(summaries) === bad);
    const [first] = same;
    return first === undefined ? [] : [{ ...first, summaries: same.flatMap(({ summaries }) => summaries) }];
  });
}

function isBad([first]: readonly CommandSummary[]): boolean {
  return first !== undefined && needsAttention(first);
}
