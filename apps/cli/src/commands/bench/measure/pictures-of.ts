import type { Trace } from '../evidence/trace.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import { findWaits, type Wait } from './find-waits.ts';

/** What the report draws; times in milliseconds since the run began. */
export type Pictures = Readonly<{
  /** One row of a lane: when it went out, started, ended, and on which path it worked. */
  lanes: readonly Readonly<{
    key: number;
    agent: number;
    sent: number;
    started: number;
    ended: number;
    path: string;
    work: string;
  }>[];
  heat: HeatMap;
}>;

/** How long commands waited for others that held a path, in equal parts of the run. */
export type HeatMap = Readonly<{
  bucketMs: number;
  /** What was waited for longest comes first; `commands`: so many waited for it. */
  rows: readonly Readonly<{ path: string; waitedMs: readonly number[]; commands: number }>[];
}>;

/** More bars than that no screen shows. */
export const MOST_BARS = 3000;
const BUCKETS = 60;
const MOST_PATHS = 25;

export function picturesOf(traces: readonly Trace[], planned: (key: number) => PlannedCommand): Pictures {
  const startUs = traces.reduce(
    (least, { submitted }) => Math.min(least, submitted?.atUs ?? least),
    Infinity,
  );
  const ms = (atUs: number): number => Math.round((atUs - startUs) / 10) / 100;
  const worked = traces.flatMap(({ key, submitted, starts: [start], ended }) => {
    if (submitted === null || start === undefined || ended === null) return [];
    const { agent, path, work } = planned(key);
    return [
      { key, agent, path, work, sent: ms(submitted.atUs), started: ms(start.atUs), ended: ms(ended.atUs) },
    ];
  });
  const lastMs = worked.reduce((most, { ended }) => Math.max(most, ended), 0);
  return {
    lanes: worked.slice(0, MOST_BARS),
    heat: heatOf(findWaits(traces, planned), { startUs, bucketMs: Math.max(1, lastMs / BUCKETS) }),
  };
}

function heatOf(
  waits: readonly Wait[],
  { startUs, bucketMs }: Readonly<{ startUs: number; bucketMs: number }>,
): HeatMap {
  const rows = [...Map.groupBy(waits, ({ resource }) => resource)].map(([path, ofPath]) => {
    const waitedMs = Array.from({ length: BUCKETS }, () => 0);
    for (const { fromUs, toUs } of ofPath) {
      const bucket = Math.min(BUCKETS - 1, Math.floor((fromUs - startUs) / 1000 / bucketMs));
      waitedMs[bucket] = (waitedMs[bucket] ?? 0) + (toUs - fromUs) / 1000;
    }
    return { path, waitedMs: waitedMs.map(Math.round), commands: ofPath.length };
  });
  const total = (row: (typeof rows)[number]): number => row.waitedMs.reduce((sum, ms) => sum + ms, 0);
  return { bucketMs, rows: rows.toSorted((a, b) => total(b) - total(a)).slice(0, MOST_PATHS) };
}
