import type { Clock } from '@signalbox/core';

/**
 * Counts what was tried and is wrong, by address and the beginning of what was tried: a client that repeats a wrong token
 * waits, and shuts nobody else out. Whoever brings a good one is never asked to wait.
 */
export type FailedTries = {
  /** Notes that it failed; answers in how many milliseconds this may be tried again, 0 when now. */
  failed(address: string, tried: string): number;
};

const WINDOW_MS = 60_000;
const MOST_IN_WINDOW = 10;
const MOST_KEPT = 10_000;
/** Characters of what was tried: enough to tell clients apart, too few to be worth anything. */
const DISTINCT_BY = 12;

export function createFailedTries(clock: Clock): FailedTries {
  const windows = new Map<string, { since: number; tries: number }>();

  return {
    failed(address, tried) {
      const key = `${address} ${tried.slice(0, DISTINCT_BY)}`;
      const now = clock.now();
      const known = windows.get(key);
      const { since, tries } =
        known !== undefined && now - known.since < WINDOW_MS ? known : { since: now, tries: 0 };
      windows.delete(key);
      windows.set(key, { since, tries: tries + 1 });
      for (const oldest of windows.keys()) if (windows.size > MOST_KEPT) windows.delete(oldest);
      return tries < MOST_IN_WINDOW ? 0 : Math.max(1, since + WINDOW_MS - now);
    },
  };
}
