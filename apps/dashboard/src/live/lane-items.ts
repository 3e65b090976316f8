import { type CommandSummary, outcomeWord } from '@signalbox/api';
import { phaseOf, needsAttention, lineOf } from '../workspace/command-text.ts';
import { visible } from '@signalbox/core/visible-text';
import { DOT_WIDTH, type LaneDot, fitDots, type Gap, withDot } from './dot-row.ts';

/** An item of a lane: unfinished commands end at Now, ended ones are left of it. Pixels from the left. */
export type LaneItem = Readonly<
  | { kind: 'block'; row: number; left: number; summary: CommandSummary }
  | { kind: 'pill'; row: number; left: number; width: number; summary: CommandSummary }
  | LaneDot
>;

export type LaneLayout = Readonly<{
  items: readonly LaneItem[];
  /** 1 to 3. */
  rows: number;
  /** Unfinished commands without a row. */
  more: readonly CommandSummary[];
}>;

export type Axis = Readonly<{
  /** The instant at the right end. */
  now: number;
  windowMs: number;
  /** Width of the lane in pixels. */
  width: number;
}>;

export const MAX_ROWS = 3;
const PILL_FROM = 64;
/** Minimum width for a word or two of an unfinished command, unless the lane itself is narrower. */
const SHORTEST_BLOCK = 112;
/** This much of it is kept free of other rows' ends: the rest may cover the end of a pill. */
const KEPT_FREE = 74;

/** Places the commands of one provider; each keeps its row, as rows are assigned in order of arrival. */
export function layLane(summaries: readonly CommandSummary[], axis: Axis): LaneLayout {
  const from = axis.now - axis.windowMs;
  const shortest = Math.min(SHORTEST_BLOCK, Math.max(KEPT_FREE, axis.width / 3));
  const shown = summaries
    .filter((summary) => summary.endedAt === null || summary.endedAt >= from)
    .toSorted((a, b) => beganAt(a) - beganAt(b));
  const ends: RowEnd[] = [];
  const items: LaneItem[] = [];
  const gaps = createGaps(axis.width);
  const more: CommandSummary[] = [];
  for (const summary of shown) {
    const start = xOf(beganAt(summary), axis);
    const isAlive = summary.endedAt === null;
    const end = summary.endedAt === null ? axis.width : xOf(summary.endedAt, axis);
    const left = isAlive ? Math.min(start, axis.width - shortest) : start;
    const row = isAlive
      ? freeRow(ends, ({ drawn }) => drawn <= Math.min(start, axis.width - KEPT_FREE) + DOT_WIDTH)
      : freeRow(ends, ({ at }) => at <= start + 2);
    if (row === null) {
      if (isAlive) more.push(summary);
      else gaps.add({ kind: 'bead', row: 0, left: end, summaries: [summary] });
      continue;
    }
    const isPill = end - start >= PILL_FROM;
    const { at, drawn } = ends[row] ?? { at: 0, drawn: 0 };
    ends[row] = isAlive ? TO_NOW : { at: Math.max(end, at), drawn: isPill ? Math.max(end, drawn) : drawn };
    if (isAlive) items.push({ kind: 'block', row, left, summary });
    else if (isPill) items.push({ kind: 'pill', row, left: start, width: end - start, summary });
    else gaps.add({ kind: 'bead', row, left: (start + end) / 2, summaries: [summary] });
    if (isAlive) gaps.endAt(row, left);
    else if (isPill) gaps.goOnAfter(row, start, end);
  }
  // In order of time, unfinished ones last: arrow keys follow it.
  items.push(...gaps.all().flatMap(fitDots));
  items.sort((a, b) => Number(a.kind === 'block') - Number(b.kind === 'block') || a.left - b.left);
  return { items, rows: Math.min(MAX_ROWS, Math.max(1, ends.length)), more };
}

/** Collects the dots of each row by gap. */
function createGaps(width: number) {
  const rows: Gap[][] = [];
  const lastOf = (row: number): Gap => rows[row]?.at(-1) ?? { row, from: 0, until: width, dots: [] };
  const setLast = (gap: Gap): void => {
    rows[gap.row] = [...(rows[gap.row] ?? []).slice(0, -1), gap];
  };
  const endAt = (row: number, until: number): void => setLast({ ...lastOf(row), until });
  return {
    add(dot: LaneDot): void {
      const gap = lastOf(dot.row);
      setLast({ ...gap, dots: withDot(gap.dots, dot) });
    },
    endAt,
    goOnAfter(row: number, until: number, from: number): void {
      endAt(row, until);
      rows[row]?.push({ row, from, until: width, dots: [] });
    },
    all: (): readonly Gap[] => rows.flat(),
  };
}

function xOf(at: number, { now, windowMs, width }: Axis): number {
  return Math.round(Math.max(0, Math.min(width, width * (1 - (now - at) / windowMs))));
}

/** The start of its bar: of the wait or of the run. */
function beganAt(summary: CommandSummary): number {
  const phase = phaseOf(summary);
  if (phase === 'person') return summary.askedAt ?? summary.submittedAt;
  if (phase === 'waiting') return summary.queuedAt ?? summary.submittedAt;
  return summary.startedAt ?? summary.queuedAt ?? summary.submittedAt;
}

/**
 * End of a row's last command, and of the last one drawn at its length. Dots make space for unfinished commands, so
 * that consecutive calls need one row.
 */
type RowEnd = Readonly<{ at: number; drawn: number }>;

const TO_NOW: RowEnd = { at: Number.POSITIVE_INFINITY, drawn: Number.POSITIVE_INFINITY };

function freeRow(ends: readonly RowEnd[], isFree: (end: RowEnd) => boolean): number | null {
  const free = ends.findIndex(isFree);
  if (free >= 0) return free;
  return ends.length < MAX_ROWS ? ends.length : null;
}

export type LaneNote = Readonly<{ left: number; text: string; isBad: boolean }>;

/** Width of an 11 px letter. */
const CHARACTER_WIDTH = 5.9;

/** Text below the dots of a lane with one row, as far as it doesn't overlap; failures first. */
export function laneNotes({ items, rows }: LaneLayout, width: number): readonly LaneNote[] {
  if (rows > 1) return [];
  const wanted = items.flatMap((item): LaneNote[] => {
    if (item.kind === 'block') return [];
    const summaries = item.kind === 'pill' ? [item.summary] : item.summaries;
    const [first] = summaries;
    if (first === undefined) return [];
    const isBad = needsAttention(first);
    if (item.kind === 'pill' && !isBad) return [];
    return [
      { left: item.left, text: isBad ? troubleText(first, summaries.length) : noteText(summaries), isBad },
    ];
  });
  const kept: LaneNote[] = [];
  for (const note of wanted.toSorted((a, b) => Number(b.isBad) - Number(a.isBad))) {
    const fits = Math.min(note.left, width - note.text.length * CHARACTER_WIDTH + 10);
    const positioned = { ...note, left: Math.max(10, fits) };
    if (kept.every((other) => !touches(positioned, other))) kept.push(positioned);
  }
  return kept;
}

function touches(a: LaneNote, b: LaneNote): boolean {
  return (
    a.left < b.left + b.text.length * CHARACTER_WIDTH + 10 &&
    b.left < a.left + a.text.length * CHARACTER_WIDTH + 10
  );
}

function noteText(summaries: readonly CommandSummary[]): string {
  const tools = new Set(summaries.map(({ tool }) => tool));
  const [first] = summaries;
  if (summaries.length > 1) return tools.size === 1 && first?.tool === 'read_file' ? 'reads' : 'commands';
  return first === undefined ? '' : short(pathOf(first) ?? lineOf(first), 20);
}

function pathOf({ tool, title }: CommandSummary): string | null {
  const isNamed = tool !== 'bash' && title.startsWith(`${tool} `);
  return isNamed ? visible(title.slice(tool.length + 1)) : null;
}

/** What went wrong, in a few words; the card has the full text. */
function troubleText(summary: CommandSummary, count: number): string {
  if (count > 1) return `${count} failed or denied`;
  const what = short(pathOf(summary) ?? lineOf(summary), 22);
  return `${outcomeWord(summary.outcome ?? 'failed', summary.rule)}: ${what}`;
}

/** The end of a path says more than its beginning. */
export function shortPath(path: string, maxCharacters: number): string {
  return path.length <= maxCharacters ? path : `…${path.slice(1 - maxCharacters)}`;
}

export function short(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
}
