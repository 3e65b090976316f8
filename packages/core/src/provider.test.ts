import { expect, test } from 'vitest';
import { addUsage, NO_USAGE, Usage } from './provider.ts';
import { ProviderError, type ProviderErrorKind } from './errors/provider-error.ts';

test('usage adds up field by field', () => {
  const usage: Usage = {
    inputTokens: 1,
    cachedInputTokens: 2,
    cacheWriteTokens: 3,
    outputTokens: 4,
    reasoningTokens: 5,
  };
  expect(addUsage(usage, NO_USAGE)).toEqual(usage);
  expect(Object.values(addUsage(usage, usage))).toEqual([2, 4, 6, 8, 10]);
});

test.for<[ProviderErrorKind, boolean]>([
  ['RateLimited', true],
  ['ServerError', true],
  ['NetworkError', true],
  ['Timeout', true],
  ['Truncated', true],
  ['Protocol', true],
  ['InvalidParameters', false],
  ['Auth', false],
  ['Quota', false],
  ['ContextTooLong', false],
  ['Refused', false],
  ['Cancelled', false],
])('a turn that failed by %s may be retried: %s', ([kind, answer]) => {
  expect(new ProviderError(kind, 'failed').retryable).toBe(answer);
});
