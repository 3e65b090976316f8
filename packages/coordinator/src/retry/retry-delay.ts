import type { RandomBytes, Settings } from '@signalbox/core';

/** How turns and calls that failed for a transient reason are retried (`tools.retry`, S001-100). */
export type RetryPolicy = {
  /** Attempts, including the first. Default 2. */
  readonly maxAttempts: number;
  /** Delay before the second attempt, in milliseconds. Default 500. */
  readonly baseMs: number;
  /** Longest delay we choose ourselves, in milliseconds. Default 5,000. */
  readonly maxMs: number;
  /** All delays of one task together, in milliseconds. Default 30,000. */
  readonly budgetMs: number;
};

export function retryPolicyOf({ tools: { retry } }: Settings): RetryPolicy {
  const { max_attempts, base_ms, max_ms, budget_secs } = retry;
  return { maxAttempts: max_attempts, baseMs: base_ms, maxMs: max_ms, budgetMs: budget_secs * 1000 };
}

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
  const longest = failed.retryAfterMs ?? longestDelayMs(tried.attempt, policy);
  if (tried.waitedMs + longest > policy.budgetMs) return null;
  return failed.retryAfterMs ?? Math.round(longest * chance(random));
}

/** Doubles with each attempt. */
function longestDelayMs(attempt: number, { baseMs, maxMs }: RetryPolicy): number {
  return Math.min(baseMs * 2 ** (attempt - 1), maxMs);
}

/**
 * Full jitter: anything between nothing and the longest delay, so that those who failed together spread out most
 * (Brooker, "Exponential Backoff And Jitter", 2015).
 */
function chance(random: RandomBytes): number {
  const [high = 0, low = 0] = random(2);
  return (high * 256 + low) / 65_535;
}
