import type { Clock } from '@signalbox/core';

/**
 * Counts failed attempts by address and the first characters of the credential. A client that repeats a wrong token
 * waits and blocks no other client. A valid token never waits.
 */
export type FailedTries = {
  /** Records a failure; returns the milliseconds until the same may be tried again, 0 for now. */
  failed(address: string, tried: string): number;
};

const WINDOW_MS = 60_000;
const MAX_IN_WINDOW = 10;
const MAX_KEPT = 10_000;
/** Characters of the credential: enough to tell clients apart, too few to be useful to a thief. */
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
      for (const oldest of windows.keys()) {
        if (windows.size <= MAX_KEPT) break;
        windows.delete(oldest);
      }
      return tries < MAX_IN_WINDOW ? 0 : since + WINDOW_MS - now;
    },
  };
}
