import type { RandomBytes } from '@signalbox/core';

/** How a turn that failed for a passing reason is tried again (S001-100). */
export type RetryPolicy = {
  /** Of one turn; the first one counts. Default 2. */
  readonly maxAttempts: number;
  /** Before the second attempt, in milliseconds. Default 500. */
  readonly baseMs: number;
  /** Longest wait of our own choosing. Default 5,000. */
  readonly maxMs: number;
  /** All waits of one session together. Default 30,000. */
  readonly budgetMs: number;
};

/**
 * How long to wait before the next attempt in milliseconds, or `null` to give up.
 *
 * A wait that the server asks for is kept to, unless the budget has no room for it: an earlier attempt would
 * only be refused again.
 */
export function retryDelayMs(
  failed: { readonly retryable: boolean; readonly retryAfterMs: number | undefined },
  tried: { readonly attempt: number; readonly waitedMs: number },
  policy: RetryPolicy,
  random: RandomBytes,
): number | null {
  if (!failed.retryable || tried.attempt >= policy.maxAttempts) return null;
  const delay = failed.retryAfterMs ?? backoffMs(tried.attempt, policy, random);
  return tried.waitedMs + delay <= policy.budgetMs ? delay : null;
}

/** Doubles with each attempt; half of it is chance, so that sessions that failed together don't return together. */
function backoffMs(attempt: number, { baseMs, maxMs }: RetryPolicy, random: RandomBytes): number {
  const full = Math.min(baseMs * 2 ** (attempt - 1), maxMs);
  const [high = 0, low = 0] = random(2);
  const chance = (high * 256 + low) / 65_535;
  return Math.round((full / 2) * (1 + chance));
}
