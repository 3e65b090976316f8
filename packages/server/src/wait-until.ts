import type { Clock } from '@signalbox/core';

/** Bounds of a wait: `ms`, unless `signal` aborts earlier. */
export type WaitLimit = {
  readonly clock: Pick<Clock, 'timer'>;
  readonly ms: number;
  readonly signal: AbortSignal;
};

/**
 * Settles when the event happens or has happened, after `ms`, or when the signal aborts; the caller checks which.
 * Rejects when `hasHappened` does.
 */
export async function waitUntil(
  of: {
    /** Checked once, after listening has started. */
    readonly hasHappened: () => boolean | Promise<boolean>;
    /** Returns a function that stops listening. */
    readonly listen: (onHappened: () => void) => () => void;
  },
  { clock, ms, signal }: WaitLimit,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => resolve();
  const unsubscribe = of.listen(settle);
  const cancelTimer = clock.timer(ms, settle);
  signal.addEventListener('abort', settle);
  try {
    if ((await of.hasHappened()) || signal.aborted) settle();
    await promise;
  } finally {
    unsubscribe();
    cancelTimer();
    signal.removeEventListener('abort', settle);
  }
}
