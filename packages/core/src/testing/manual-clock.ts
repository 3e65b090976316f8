import { InvariantError } from '../errors/errors.ts';
import type { Clock } from '../ports/clock.ts';

/** A clock that moves only when a test moves it. */
export type ManualClock = Clock & {
  /**
   * Advances both times. Timers that fall due run in the order of their times, and promises they start run before the
   * next one.
   */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock, as an administrator would; durations and timers are unaffected. */
  setNow(epochMs: number): void;
  /** Timers that have neither run nor been cancelled. */
  pendingTimers(): number;
};

type Timer = { readonly dueAt: number; readonly callback: () => void };

/** @param startsAt epoch milliseconds; default 2026-01-01T00:00:00Z. */
export function createManualClock(startsAt = Date.UTC(2026, 0, 1)): ManualClock {
  let wall = startsAt;
  let elapsed = 0;
  let timers: readonly Timer[] = [];

  const moveTo = (moment: number): void => {
    wall += moment - elapsed;
    elapsed = moment;
  };

  return {
    now: () => wall,
    monotonic: () => elapsed,
    timer(delayMs, callback) {
      if (!(delayMs <= MAX_DELAY_MS)) throw new InvariantError(`Cannot wait ${delayMs} ms: it is too long`);
      const timer: Timer = { dueAt: elapsed + Math.max(0, delayMs), callback };
      timers = [...timers, timer].toSorted((a, b) => a.dueAt - b.dueAt);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const target = elapsed + ms;
      for (let next = timers[0]; next !== undefined && next.dueAt <= target; next = timers[0]) {
        timers = timers.slice(1);
        moveTo(Math.max(elapsed, next.dueAt));
        next.callback();
        await promisesSettled();
      }
      moveTo(target);
      await promisesSettled();
    },
    setNow(epochMs) {
      wall = epochMs;
    },
    pendingTimers: () => timers.length,
  };
}

const MAX_DELAY_MS = 2 ** 31 - 1;

function promisesSettled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
