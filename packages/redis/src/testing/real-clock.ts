import type { Clock } from '@signalbox/core';

/** The clock of this machine: Redis has no other. */
export function createRealClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    timer(delayMs, callback) {
      const timeout = setTimeout(callback, delayMs);
      return () => clearTimeout(timeout);
    },
  };
}
