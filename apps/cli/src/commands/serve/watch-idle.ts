import type { Clock } from '@signalbox/core';
import type { Activity } from '@signalbox/server';

/** Poll interval of the idle check. */
const POLL_EVERY_MS = 15_000;
const MIN_POLLS = 4;

/**
 * Calls back once the coordinator was idle, without clients or work, for that long. Polls are counted, not time: a
 * machine that slept has not been idle. Returns how to stop.
 *
 * @param parts.isFound whether clients still find this coordinator: otherwise it has no clients to wait for.
 */
export function watchIdle(parts: {
  /** Zero: never, while clients find it. */
  readonly idleExitMs: number;
  readonly clock: Pick<Clock, 'timer'>;
  readonly activity: () => Activity;
  /** Unfinished runs and commands, including pending approvals. */
  readonly atWork: () => Promise<number>;
  readonly isFound: () => boolean;
  readonly onPoll?: () => void;
  readonly onIdle: () => void;
}): () => void {
  const { idleExitMs, clock, activity, atWork, isFound, onPoll = () => undefined, onIdle } = parts;
  const everyMs = Math.max(Math.min(POLL_EVERY_MS, (idleExitMs || Number.POSITIVE_INFINITY) / MIN_POLLS), 1);
  const needed = idleExitMs === 0 ? Number.POSITIVE_INFINITY : Math.ceil(idleExitMs / everyMs);
  let seen = 0;
  let served = activity().served;
  let stopped = false;
  let cancel = clock.timer(everyMs, render);

  function render(): void {
    void pollNow().finally(() => {
      if (!stopped) cancel = clock.timer(everyMs, render);
    });
  }

  async function pollNow(): Promise<void> {
    onPoll();
    const now = activity();
    const nobody = now.open === 0 && now.served === served;
    served = now.served;
    // An unresponsive backend reports no work: then it stays.
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
