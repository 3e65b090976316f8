import type { Clock } from '@signalbox/core';

/** A task that is repeated, never twice at once. */
export type Rounds = {
  /** Runs a whole round that begins after this call; resolves at its end, whether it succeeded or not. */
  now(): Promise<void>;
  stop(): void;
};

/** @param round resolves with the milliseconds until the next round. */
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
