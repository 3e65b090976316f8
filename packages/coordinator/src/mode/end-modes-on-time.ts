import type { Clock, Logger, Mode } from '@signalbox/core';
import type { ModeService } from './mode-service.ts';

/** Bounds the delay after the machine slept, or its clock was set. */
const MAX_POLL_MS = 60_000;

/**
 * Publishes the end of a timed mode; returns a function that stops it. Of several coordinators the first one publishes
 * it, once.
 */
export function endModesOnTime(parts: {
  readonly modes: Pick<ModeService, 'settle' | 'watch'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the current mode whenever it is read. Optional. */
  readonly seen?: (mode: Mode) => void;
}): () => void {
  const { modes, clock, logger, seen = () => undefined } = parts;
  let cancel: () => void = () => undefined;
  let isStopped = false;

  function poll(): void {
    cancel();
    modes
      .settle()
      .then(({ mode, back }) => {
        if (!isStopped) seen(mode);
        return back === undefined ? undefined : checkIn(back.at - clock.now());
      })
      .catch((error: unknown) => {
        if (isStopped) return;
        logger.warn({ error }, 'end of the mode not published; it applies all the same');
        checkIn(MAX_POLL_MS);
      });
  }

  function checkIn(ms: number): void {
    cancel();
    if (isStopped) return;
    cancel = clock.timer(Math.min(Math.max(ms, 0), MAX_POLL_MS), poll);
  }

  const unwatch = modes.watch(poll);
  poll();
  return () => {
    isStopped = true;
    cancel();
    unwatch();
  };
}
