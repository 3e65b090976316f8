import type { Clock, CommandRecord, CommandResult } from '@signalbox/core';

/**
 * Measures one command on the monotonic clock, which can't be set; the record's times are on the wall clock. Times from
 * an earlier process count on the wall clock up to now.
 */
export type Stopwatch = {
  /** Moments that the record names for the first time are now. */
  note(record: CommandRecord): void;
  /** The same result with current times. @param ran Whether it comes from an execution. */
  timed(result: CommandResult, ran: boolean): CommandResult;
};

type Moment = 'submitted' | 'asked' | 'approved' | 'queued' | 'started';
type Mark = { readonly at: number; readonly monotonic: number };

export function createStopwatch(first: CommandRecord, clock: Pick<Clock, 'now' | 'monotonic'>): Stopwatch {
  const marks = new Map<Moment, Mark>();

  function mark(moment: Moment, at: number | null | undefined): void {
    if (at === null || at === undefined) marks.delete(moment);
    else if (marks.get(moment)?.at !== at)
      marks.set(moment, { at, monotonic: clock.monotonic() - Math.max(0, clock.now() - at) });
  }

  function note({ submittedAt, approval, approvedAt, queuedAt, startedAt }: CommandRecord): void {
    mark('submitted', submittedAt);
    mark('asked', approval?.firstRequestedAt ?? approval?.requestedAt);
    mark('approved', approvedAt);
    mark('queued', queuedAt);
    mark('started', startedAt);
  }

  /** Whole milliseconds; 0 if it never began. */
  function between(from: Moment, to?: Moment): number {
    const end = (to === undefined ? undefined : marks.get(to)?.monotonic) ?? clock.monotonic();
    return Math.max(0, Math.round(end - (marks.get(from)?.monotonic ?? end)));
  }

  note(first);
  return {
    note,
    timed: (result, ran) => ({
      ...result,
      latencyMs: between('submitted'),
      durationMs: ran ? between('started') : 0,
      waitedMs: between('queued', 'started'),
      approvalMs: between('asked', 'approved'),
    }),
  };
}
