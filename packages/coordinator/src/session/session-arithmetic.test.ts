import { NO_USAGE } from '@signalbox/core';
import { createSeededRandom } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBudget } from './budget.ts';
import { retryDelayMs } from '../retry/retry-delay.ts';
import { costOf } from './token-cost.ts';

describe('costOf()', () => {
  const usage = {
    ...NO_USAGE,
    inputTokens: 1_000_000,
    cachedInputTokens: 600_000,
    cacheWriteTokens: 100_000,
    outputTokens: 10_000,
  };

  test('prices cached tokens separately, and counts none of them twice', () => {
    const prices = {
      inputPerMillion: 3,
      cachedInputPerMillion: 0.3,
      cacheWritePerMillion: 3.75,
      outputPerMillion: 15,
    };
    expect(costOf(usage, prices)).toBeCloseTo(0.3 * 3 + 0.6 * 0.3 + 0.1 * 3.75 + 0.01 * 15, 10);
  });

  test('prices cached tokens like others if the list has no price for them', () => {
    expect(costOf(usage, { inputPerMillion: 3, outputPerMillion: 15 })).toBeCloseTo(3.15, 10);
  });

  test('is unknown without prices', () => {
    expect(costOf(usage, null)).toBeNull();
  });
});

test('a budget without a limit is never spent', () => {
  const budget = createBudget(null);
  budget.spend(1_000_000);
  expect(budget.isSpent()).toBe(false);
});

test('retryDelayMs() is anything up to a doubling delay, and never exceeds its bounds', () => {
  const random = createSeededRandom();
  const policy = { maxAttempts: 100, baseMs: 500, maxMs: 5000, budgetMs: 30_000 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), fc.nat(40_000), (attempt, waitedMs) => {
      const failed = { retryable: true, retryAfterMs: undefined };
      const delay = retryDelayMs(failed, { attempt, waitedMs }, { policy, random });
      const full = Math.min(500 * 2 ** (attempt - 1), 5000);
      if (delay === null) return waitedMs + full > 30_000;
      return delay >= 0 && delay <= full && waitedMs + delay <= 30_000;
    }),
  );
});
