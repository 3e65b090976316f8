import type { Clock } from '@signalbox/core';
import type { Activity } from '@signalbox/server';

/** How often it is looked whether anybody is there. */
const POLL_EVERY_MS = 15_000;
const LOOKS_AT_LEAST = 4;

/**
 * Calls back once nobody was there and nothing was at work for so long. What counts is how often that was seen: a machine
 * that slept has not been idle. Answers how to stop.
 *
 * @param parts.isFound whether clients still find this coordinator: one that they don't has nobody to wait for.
 */
export function watchIdle(parts: {
  /** Zero: never, while clients find it. */
  readonly idleExitMs: number;
  readonly clock: Pick<Clock, 'timer'>;
  readonly activity: () => Activity;
  /** Runs and commands that are not over, approvals too. */
  readonly atWork: () => Promise<number>;
  readonly isFound: () => boolean;
  readonly onLook?: () => void;
  readonly onIdle: () => void;
}): () => void {
  const { idleExitMs, clock, activity, atWork, isFound, onLook = () => undefined, onIdle } = parts;
  const everyMs = Math.max(
    Math.min(POLL_EVERY_MS, (idleExitMs || Number.POSITIVE_INFINITY) / LOOKS_AT_LEAST),
    1,
  );
  const needed = idleExitMs === 0 ? Number.POSITIVE_INFINITY : Math.ceil(idleExitMs / everyMs);
  let seen = 0;
  let served = activity().served;
  let stopped = false;
  let cancel = clock.timer(everyMs, render);

  function render(): void {
    void lookNow().finally(() => {
      if (!stopped) cancel = clock.timer(everyMs, render);
    });
  }

  async function lookNow(): Promise<void> {
    onLook();
    const now = activity();
    const nobody = now.open === 0 && now.served === served;
    served = now.served;
    // A backend that does not answer tells of no work: then it stays.
    const isIdle = nobody && (await atWork().catch(() => 1)) === 0;
    seen = isIdle ? seen + 1 : 0;
    if (!isIdle || stopped || (seen < needed && isFound())) return;
    stopped = true;
    onIdle();
  }

  return () => {
    stopped = true;
    cancel();
  };
}
