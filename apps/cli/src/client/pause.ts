import type { Clock } from '@signalbox/core';

/** Settles after that time, or at once when the signal aborts. */
export async function pause(ms: number, clock: Pick<Clock, 'timer'>, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = (): void => resolve();
  const cancel = clock.timer(ms, wake);
  signal?.addEventListener('abort', wake, { once: true });
  await promise;
  cancel();
  signal?.removeEventListener('abort', wake);
}
