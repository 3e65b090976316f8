import type { Clock } from '@signalbox/core';

/** Who fails to prove who it is too often waits: guessing must not be free. */
export type FailedTries = {
  /** Milliseconds until that address may try again; 0 when it may now. */
  waitMs(address: string): number;
  failed(address: string): void;
};

const WINDOW_MS = 60_000;
const MOST_IN_WINDOW = 10;
const MOST_ADDRESSES = 10_000;

export function createFailedTries(clock: Clock): FailedTries {
  const windows = new Map<string, { since: number; tries: number }>();

  function windowOf(address: string): { since: number; tries: number } {
    const known = windows.get(address);
    if (known !== undefined && clock.now() - known.since < WINDOW_MS) return known;
    windows.delete(address);
    return { since: clock.now(), tries: 0 };
  }

  return {
    waitMs(address) {
      const { since, tries } = windowOf(address);
      return tries < MOST_IN_WINDOW ? 0 : Math.max(1, since + WINDOW_MS - clock.now());
    },
    failed(address) {
      const window = windowOf(address);
      windows.set(address, { ...window, tries: window.tries + 1 });
      for (const oldest of windows.keys()) if (windows.size > MOST_ADDRESSES) windows.delete(oldest);
    },
  };
}
