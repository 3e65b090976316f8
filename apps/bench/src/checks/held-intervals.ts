import type { LogPosition, Trace } from '../evidence/trace.ts';
import { claimsOfPlanned, type PlannedCommand } from '../plan/planned-command.ts';
import type { QueuedArrival } from './find-overtakers.ts';
import type { HeldClaim } from './find-overlaps.ts';

/**
 * Largest difference between the clock of a shell and ours. Intervals are shortened by it, so that no overlap is
 * reported wrongly. A shorter overlap of shell lines is missed; one of tools shows in the order of their log.
 */
const CLOCK_SLACK_US = 1000;

type TimeScale = Readonly<{ of: (moment: LogPosition) => number | null; slack: number }>;

/** By the order of one log: exact, for commands that wrote to it. */
const BY_ORDER: TimeScale = { of: ({ order }) => order, slack: 0 };
/** By the wall clock: for all commands. */
const BY_CLOCK: TimeScale = { of: ({ atUs }) => atUs, slack: CLOCK_SLACK_US };

export const TIME_SCALES: readonly TimeScale[] = [BY_ORDER, BY_CLOCK];

/** The interval in which each command held its claims while it worked; only the start when it left no end. */
export function heldIntervals(
  traces: readonly Trace[],
  planned: (key: number) => PlannedCommand,
  { of, slack }: TimeScale,
): readonly HeldClaim[] {
  return traces.flatMap(({ key, starts, ended }) =>
    starts.flatMap((start) => {
      const from = of(start);
      const to = ended === null ? from : of(ended);
      if (from === null || to === null) return [];
      const held = { key, claims: claimsOfPlanned(planned(key)), from: from + slack, to: to - slack };
      return held.from <= held.to || ended === null ? [held] : [];
    }),
  );
}

/** When each command that started was sent, accepted and started. */
export function arrivals(
  traces: readonly Trace[],
  planned: (key: number) => PlannedCommand,
  { of, slack }: TimeScale,
): readonly QueuedArrival[] {
  return traces.flatMap(({ key, submitted, rested, starts: [start] }) => {
    const started = start === undefined ? null : of(start);
    const out = submitted === null ? null : of(submitted);
    if (started === null || out === null) return [];
    const seen = rested === null ? null : of(rested);
    return [
      {
        key,
        claims: claimsOfPlanned(planned(key)),
        submitted: out,
        rested: seen === null ? null : seen + slack,
        started,
      },
    ];
  });
}
