import type { RandomBytes } from '@signalbox/core';

/** How a turn that failed for a transient reason is retried (S001-100). */
export type RetryPolicy = {
  /** Attempts per turn, including the first. Default 2. */
  readonly maxAttempts: number;
  /** Delay before the second attempt, in milliseconds. Default 500. */
  readonly baseMs: number;
  /** Longest delay we choose ourselves, in milliseconds. Default 5,000. */
  readonly maxMs: number;
  /** All delays of one session together, in milliseconds. Default 30,000. */
  readonly budgetMs: number;
};

/**
 * Delay before the next attempt in milliseconds, or `null` to give up.
 *
 * A delay requested by the server is respected, unless it exceeds the budget: an earlier attempt would only be refused
 * again.
 */
export function retryDelayMs(
  failed: { readonly retryable: boolean; readonly retryAfterMs: number | undefined },
  tried: { readonly attempt: number; readonly waitedMs: number },
  { policy, random }: Readonly<{ policy: RetryPolicy; random: RandomBytes }>,
): number | null {
  if (!failed.retryable || tried.attempt >= policy.maxAttempts) return null;
  const delay = failed.retryAfterMs ?? backoffMs(tried.attempt, policy, random);
  return tried.waitedMs + delay <= policy.budgetMs ? delay : null;
}

/** Doubles with each attempt; half of it is random, so that sessions that failed together don't retry together. */
function backoffMs(attempt: number, { baseMs, maxMs }: RetryPolicy, random: RandomBytes): number {
  const full = Math.min(baseMs * 2 ** (attempt - 1), maxMs);
  const [high = 0, low = 0] = random(2);
  const chance = (high * 256 + low) / 65_535;
  return Math.round((full / 2) * (1 + chance));
}
