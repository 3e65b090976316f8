import type { Clock, Logger, Mode } from '@signalbox/core';
import type { ModeService } from './mode-service.ts';

/** A machine that slept, or whose clock was set, is late by no more than that. */
const LOOK_AT_LEAST_EVERY_MS = 60_000;

/**
 * Has everybody told when the time of a mode is over; answers how to stop. Of several coordinators the first tells it,
 * once.
 */
export function endModesOnTime(parts: {
  readonly modes: Pick<ModeService, 'settle' | 'watch'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hears which mode counts, whenever that is looked at. Default: nobody. */
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
        return back === undefined ? undefined : lookIn(back.at - clock.now());
      })
      .catch((error: unknown) => {
        if (isStopped) return;
        logger.warn({ error }, 'end of the mode not told; it counts all the same');
        lookIn(LOOK_AT_LEAST_EVERY_MS);
      });
  }

  function lookIn(ms: number): void {
    cancel();
    if (isStopped) return;
    cancel = clock.timer(Math.min(Math.max(ms, 0), LOOK_AT_LEAST_EVERY_MS), poll);
  }

  const unwatch = modes.watch(poll);
  poll();
  return () => {
    isStopped = true;
    cancel();
    unwatch();
  };
}
