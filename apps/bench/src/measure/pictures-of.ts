import * as z from 'zod';
import type { Trace } from '../evidence/trace.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import { findWaits, type MeasuredWait } from './find-waits.ts';

/** One bar of a lane: when its command was sent, started and ended, in milliseconds since the run began. */
const Bar = z
  .strictObject({
    key: z.number(),
    agent: z.number(),
    sent: z.number(),
    started: z.number(),
    ended: z.number(),
    path: z.string(),
    work: z.string(),
  })
  .readonly();

/** How long commands waited for holders of a path, in equal parts of the run. */
const HeatMap = z
  .strictObject({
    bucketMs: z.number(),
    /** Longest waits first; `commands` is the number that waited for that path. */
    rows: z
      .array(
        z
          .strictObject({ path: z.string(), waitedMs: z.array(z.number()).readonly(), commands: z.number() })
          .readonly(),
      )
      .readonly(),
  })
  .readonly();
type HeatMap = z.infer<typeof HeatMap>;

/** What the page of a report draws. */
export const Pictures = z.strictObject({ lanes: z.array(Bar).readonly(), heat: HeatMap }).readonly();
export type Pictures = z.infer<typeof Pictures>;

/** More bars than a screen can show. */
export const MAX_BARS = 3000;
const BUCKETS = 60;
const MAX_PATHS = 25;

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
  const lastMs = worked.reduce((highest, { ended }) => Math.max(highest, ended), 0);
  return {
    lanes: worked.slice(0, MAX_BARS),
    heat: heatOf(findWaits(traces, planned), { startUs, bucketMs: Math.max(1, lastMs / BUCKETS) }),
  };
}

function heatOf(
  waits: readonly MeasuredWait[],
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
  return { bucketMs, rows: rows.toSorted((a, b) => total(b) - total(a)).slice(0, MAX_PATHS) };
}
