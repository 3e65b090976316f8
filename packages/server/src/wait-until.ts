import type { Clock } from '@signalbox/core';

/** How long somebody waits: `ms`, unless `signal` aborts before. */
export type WaitLimit = {
  readonly clock: Pick<Clock, 'timer'>;
  readonly ms: number;
  readonly signal: AbortSignal;
};

/**
 * Settles when it happens or has happened, when the time is over, or when the signal aborts; which of them it was is
 * for the caller to see. Fails as `hasHappened` fails.
 */
export async function waitUntil(
  of: {
    /** Asked once, when it is listened already. */
    readonly hasHappened: () => boolean | Promise<boolean>;
    /** Answers what ends the listening. */
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
