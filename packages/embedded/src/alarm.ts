import type { Clock } from '@signalbox/core';

/** One timer for many deadlines, which must be set in the order they fall due. */
export type Alarm = {
  /** Fires at this moment of the monotonic clock; a deadline already set is earlier and stays. */
  setFor(moment: number): void;
  stop(): void;
};

const MAX_DELAY_MS = 2 ** 31 - 1;

/** @param ring handles what is due and returns the next deadline, or `null` if there is none. */
export function createAlarm(clock: Clock, ring: () => number | null): Alarm {
  let cancelTimer: (() => void) | null = null;

  const setFor = (moment: number): void => {
    if (cancelTimer !== null) return;
    const delayMs = Math.min(Math.max(0, moment - clock.monotonic()), MAX_DELAY_MS);
    cancelTimer = clock.timer(delayMs, () => {
      cancelTimer = null;
      const next = ring();
      if (next !== null) setFor(next);
    });
  };

  return {
    setFor,
    stop() {
      cancelTimer?.();
      cancelTimer = null;
    },
  };
}
