import type { Event } from '@signalbox/core';

/** Above this many events a second, screens change four times a second instead of each frame. */
const CALM_ABOVE = 60;
const CALM_MS = 250;

export type FrameTimes = {
  /** Calls back before the next frame is drawn. */
  readonly nextFrame: (run: () => void) => void;
  readonly after: (ms: number, run: () => void) => void;
  readonly now: () => number;
};

/** Collects events and passes them on together: once a frame, or four times a second under load. */
export function gatherEvents(
  deliver: (events: readonly Event[]) => void,
  times: FrameTimes,
): (event: Event) => void {
  let gathered: Event[] = [];
  let isWaiting = false;
  let second = { startedAt: 0, events: 0, before: 0 };

  function flush(): void {
    isWaiting = false;
    const events = gathered;
    gathered = [];
    deliver(events);
  }

  return (event) => {
    gathered.push(event);
    const now = times.now();
    const age = now - second.startedAt;
    // Includes the previous second: otherwise each busy one would begin with a change at each of its first frames.
    if (age >= 1000) second = { startedAt: now, events: 0, before: age < 2000 ? second.events : 0 };
    second.events += 1;
    if (isWaiting) return;
    isWaiting = true;
    if (Math.max(second.events, second.before) > CALM_ABOVE) times.after(CALM_MS, flush);
    else times.nextFrame(flush);
  };
}

/** A hidden page draws no frames, and must not collect for ever. */
export const browserTimes: FrameTimes = {
  nextFrame: (run) => {
    if (document.hidden) setTimeout(run, CALM_MS);
    else requestAnimationFrame(run);
  },
  after: (ms, run) => setTimeout(run, ms),
  now: () => performance.now(),
};
