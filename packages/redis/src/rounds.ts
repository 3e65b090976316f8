import type { Clock } from '@signalbox/core';

/** Something that is done again and again, never twice at once. */
export type Rounds = {
  /** Does a whole round that begins after this call; resolves at its end, whatever came of it. */
  now(): Promise<void>;
  stop(): void;
};

/** @param round answers after how many milliseconds it wants to be called again. */
export function createRounds(clock: Clock, round: () => Promise<number>): Rounds {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  let cancel: () => void = () => undefined;
  let stopped = false;

  const once = async (): Promise<void> => {
    next = null;
    cancel();
    if (stopped) return;
    const delayMs = await round();
    if (!stopped) cancel = clock.timer(delayMs, () => void now());
  };

  const now = (): Promise<void> => (next ??= running = running.then(once));

  return {
    now,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
