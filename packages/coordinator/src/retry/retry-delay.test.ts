import { defaultSettings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { retryDelayMs, retryPolicyOf } from './retry-delay.ts';

const policy = { maxAttempts: 5, baseMs: 500, maxMs: 1500, budgetMs: 30_000 };

/** The delay before the attempt after this one, with the least and with the greatest random number. */
function delays(
  attempt: number,
  more: { waitedMs?: number; retryAfterMs?: number; retryable?: boolean } = {},
) {
  const { waitedMs = 0, retryAfterMs, retryable = true } = more;
  return [0, 255].map((byte) =>
    retryDelayMs(
      { retryable, retryAfterMs },
      { attempt, waitedMs },
      {
        policy,
        random: (count) => new Uint8Array(count).fill(byte),
      },
    ),
  );
}

test('a delay is anything from nothing to a bound that doubles up to the longest (S001-100)', () => {
  expect([1, 2, 3, 4].map((attempt) => delays(attempt))).toEqual([
    [0, 500],
    [0, 1000],
    [0, 1500],
    [0, 1500],
  ]);
});

test('a delay that the server asks for is kept exactly, and one that exceeds the budget gives up (S001-100)', () => {
  expect(delays(1, { retryAfterMs: 7000 })).toEqual([7000, 7000]);
  expect(delays(1, { retryAfterMs: 30_001 })).toEqual([null, null]);
  expect(delays(1, { waitedMs: 29_501 })).toEqual([null, null]);
  expect(delays(1, { waitedMs: 29_500 })).toEqual([0, 500]);
});

test('there is no delay after the last attempt, or for what may not be retried (S001-100, S001-120)', () => {
  expect([delays(5), delays(1, { retryable: false })]).toEqual([
    [null, null],
    [null, null],
  ]);
});

test('the policy is that of the settings, in milliseconds (S001-100)', () => {
  expect(retryPolicyOf(defaultSettings())).toEqual({
    maxAttempts: 2,
    baseMs: 500,
    maxMs: 5000,
    budgetMs: 30_000,
  });
});
