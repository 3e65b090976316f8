import type { Approver, Event, EventType } from '@signalbox/core';
import { type TestCounts, testCountsIn } from './test-counts.ts';

/** One command, put together from its events. Times are those of the log, epoch milliseconds. */
export type CommandSeen = {
  readonly id: string;
  readonly provider: string;
  readonly title: string;
  /** First word of the title. */
  readonly tool: string;
  readonly types: ReadonlySet<EventType>;
  /** Ids of the commands that it stood behind; empty when it never waited for anybody. */
  readonly blockers: readonly string[];
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly waitedMs: number;
  readonly fencingToken: number | null;
  /** `completed`, `conflict`, `blocked` …; null while it lives. */
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly approvedBy: 'auto' | Approver | null;
  readonly tests: TestCounts | null;
};

type Draft = { -readonly [Key in keyof CommandSeen]: CommandSeen[Key] } & {
  readonly seen: Set<EventType>;
  output: string;
};

/** The commands of a log, in the order they were submitted. */
export function commandsSeen(events: readonly Event[]): readonly CommandSeen[] {
  const drafts = new Map<string, Draft>();
  for (const event of events) {
    if (!('commandId' in event)) continue;
    if (event.type === 'command_submitted') drafts.set(event.commandId, startedDraft(event));
    const draft = drafts.get(event.commandId);
    if (draft !== undefined) note(draft, event);
  }
  return [...drafts.values()].map(({ output, seen: _seen, ...command }) => ({
    ...command,
    tests: testCountsIn(output) ?? null,
  }));
}

function startedDraft(event: Event & { readonly type: 'command_submitted' }): Draft {
  const seen = new Set<EventType>();
  return {
    id: event.commandId,
    provider: event.provider,
    title: event.title,
    tool: event.tool,
    types: seen,
    seen,
    blockers: [],
    startedAt: null,
    endedAt: null,
    waitedMs: 0,
    fencingToken: null,
    outcome: null,
    reason: null,
    approvedBy: null,
    tests: null,
    output: '',
  };
}

function note(draft: Draft, event: Event): void {
  draft.seen.add(event.type);
  // A rejected call gets its whole title only when it is judged.
  if ('title' in event) draft.title = event.title;
  if (event.type === 'command_queued') draft.blockers = [...draft.blockers, ...event.blockers];
  if (event.type === 'command_approved') draft.approvedBy = event.by;
  if (event.type === 'command_output') draft.output += event.output;
  if (event.type === 'command_started') {
    draft.startedAt = event.at;
    draft.waitedMs = event.waitedMs;
    draft.fencingToken = event.fencingToken;
  }
  const outcome = outcomeOf(event);
  if (outcome === undefined) return;
  draft.endedAt = event.at;
  draft.outcome = outcome;
  if ('reason' in event) draft.reason = event.reason;
}

function outcomeOf(event: Event): string | undefined {
  if (event.type === 'command_completed') return 'completed';
  if (event.type === 'command_cancelled') return 'cancelled';
  return event.type === 'command_failed' || event.type === 'command_denied' ? event.outcome : undefined;
}
