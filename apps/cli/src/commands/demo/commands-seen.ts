import { type CommandSummary, summaryAfter } from '@signalbox/api';
import type { Approver, Event, EventType, ReuseSource } from '@signalbox/core';
import { type TestCounts, testCountsIn } from './test-counts.ts';

/** One command, assembled from its events. Times are those of the log, epoch milliseconds. */
export type CommandSeen = Readonly<
  CommandSummary & {
    types: ReadonlySet<EventType>;
    /** All commands that it ever waited for; empty if it never waited. */
    blockers: readonly string[];
    waitedMs: number;
    approvedBy: 'auto' | Approver | null;
    tests: TestCounts | null;
    /** Whose run gave its result; null: its own. */
    reusedFrom: ReuseSource | null;
  }
>;

type Seen = {
  summary: CommandSummary;
  readonly types: Set<EventType>;
  readonly blockers: string[];
  waitedMs: number;
  approvedBy: 'auto' | Approver | null;
  output: string;
  reusedFrom: ReuseSource | null;
};

/** The commands of a log, in the order they were submitted. */
export function commandsSeen(events: readonly Event[]): readonly CommandSeen[] {
  const commands = new Map<string, Seen>();
  for (const event of events) {
    if (!('commandId' in event)) continue;
    const before = commands.get(event.commandId);
    const summary = summaryAfter(before?.summary, event) ?? before?.summary;
    if (summary === undefined) continue;
    const seen = before ?? newSeen(summary);
    commands.set(summary.id, seen);
    seen.summary = summary;
    seen.types.add(event.type);
    if (event.type === 'command_queued') seen.blockers.push(...event.blockers);
    if (event.type === 'command_approved') seen.approvedBy = event.by;
    if ('reusedFrom' in event) seen.reusedFrom = event.reusedFrom ?? null;
    if (event.type === 'command_output') seen.output += event.output;
    if (event.type === 'command_started') seen.waitedMs = event.waitedMs;
  }
  return [...commands.values()].map(({ summary, output, ...seen }) => ({
    ...summary,
    ...seen,
    tests: testCountsIn(output) ?? null,
  }));
}

function newSeen(summary: CommandSummary): Seen {
  return {
    summary,
    types: new Set(),
    blockers: [],
    waitedMs: 0,
    approvedBy: null,
    output: '',
    reusedFrom: null,
  };
}
