import type { Clock } from '@signalbox/core';

/**
 * Aborts work after `ms`, and stops waiting for it after `graceMs` more (default: none).
 *
 * @throws when it takes longer
 */
export async function within<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { clock, ms, graceMs = 0 }: Readonly<{ clock: Pick<Clock, 'timer'>; ms: number; graceMs?: number }>,
): Promise<Result> {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const cancels = [
    clock.timer(ms, () => controller.abort()),
    clock.timer(ms + graceMs, () => late.reject(new Error(`no answer within ${ms / 1000} s`))),
  ];
  try {
    return await Promise.race([work(controller.signal), late.promise]);
  } finally {
    for (const cancel of cancels) cancel();
  }
}
