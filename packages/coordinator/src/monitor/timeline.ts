import { type CommandRecord, type CommandResult, quantile } from '@signalbox/core';
import type { Timeline, TimelineBucket } from '../coordinator-api.ts';

const MAX_USED = 10;
/** A title is one row of a table, not a whole script. In UTF-16 units. */
const LONGEST_TITLE = 120;

/** Ended by a person or a rule. */
const NOT_FAILED: ReadonlySet<string> = new Set(['denied', 'blocked', 'cancelled']);

type Ended = CommandRecord & { readonly result: CommandResult };

/** Counts commands by submission time, in equal intervals of the range; those outside are not counted. */
export function timelineOf(
  records: readonly CommandRecord[],
  { from, to, buckets }: { readonly from: number; readonly to: number; readonly buckets: number },
): Timeline {
  const bucketMs = (to - from) / buckets;
  const parts = Array.from({ length: buckets }, (): Ended[] => []);
  const counted: Ended[] = [];
  for (const record of records) {
    if (!isEnded(record) || record.submittedAt < from || record.submittedAt > to) continue;
    const at = Math.min(buckets - 1, Math.floor((record.submittedAt - from) / bucketMs));
    parts[at]?.push(record);
    counted.push(record);
  }
  return {
    bucketMs,
    buckets: parts.map((part, at) => bucketOf(part, from + at * bucketMs)),
    mostUsed: mostUsed(counted),
  };
}

function isEnded(record: CommandRecord): record is Ended {
  return record.result !== null;
}

function bucketOf(records: readonly Ended[], at: number): TimelineBucket {
  const results = records.map(({ result }) => result);
  const ran = ranMs(records);
  const count = (...kinds: readonly string[]): number =>
    results.filter(({ outcome }) => kinds.includes(outcome.kind)).length;
  const longest = (of: (result: CommandResult) => number): number => Math.max(0, ...results.map(of));
  return {
    at,
    commands: records.length,
    completed: count('completed'),
    failed: count('failed', 'conflict', 'timed_out', 'lost'),
    denied: count('denied', 'blocked'),
    cancelled: count('cancelled'),
    medianMs: quantile(ran, 0.5),
    p95Ms: quantile(ran, 0.95),
    longestWaitMs: longest(({ waitedMs }) => waitedMs),
    longestApprovalMs: longest(({ approvalMs }) => approvalMs),
    cpuMs: results.reduce((sum, { usage }) => sum + (usage?.cpuMs ?? 0), 0),
    peakMemoryBytes: longest(({ usage }) => usage?.peakMemoryBytes ?? 0),
  };
}

/** Durations of those that ran, sorted. */
function ranMs(records: readonly Ended[]): readonly number[] {
  return records
    .flatMap(({ startedAt, result }) => (startedAt === null ? [] : [result.durationMs]))
    .toSorted((a, b) => a - b);
}

function mostUsed(records: readonly Ended[]): Timeline['mostUsed'] {
  return [...Map.groupBy(records, ({ title }) => title.slice(0, LONGEST_TITLE).toWellFormed())]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MAX_USED)
    .map(([title, of]) => ({
      title,
      commands: of.length,
      failed: of.filter(({ result }) => !result.success && !NOT_FAILED.has(result.outcome.kind)).length,
      medianMs: quantile(ranMs(of), 0.5),
    }));
}
