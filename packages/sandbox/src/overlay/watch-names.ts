import type { Clock } from '@signalbox/core';
import { countNames } from './disk-layer.ts';

/** Minimum time between two counts; also at least SHARE times the duration of a count. */
const INTERVAL_MS = 500;
const SHARE = 10;

/**
 * Counts the names below a folder periodically, until there are more than `max`. A file system on a disk has
 * no limit per command.
 *
 * @returns a function that stops the counting
 */
export function watchNames(
  folder: string,
  options: { readonly clock: Clock; readonly max: number; readonly onExceeded: () => void },
): () => void {
  const { clock, max, onExceeded } = options;
  let isOver = false;
  let cancel = clock.timer(INTERVAL_MS, poll);

  function poll(): void {
    const began = clock.monotonic();
    void countNames(folder, max).then((count) => {
      if (isOver) return undefined;
      if (count > max) return onExceeded();
      cancel = clock.timer(Math.max(INTERVAL_MS, SHARE * (clock.monotonic() - began)), poll);
      return undefined;
    });
  }

  return () => {
    isOver = true;
    cancel();
  };
}
