import type { Counters } from '@signalbox/core';
import type { Policy, Question } from '@signalbox/policy';
import { refusals } from '../command/outcome/refusals.ts';

/**
 * Counts a transaction's changes against the rates of the corresponding file tools, if its call had not declared them
 * and was not counted for them; once each, even if the line is rerun. Returns why that is too much.
 */
export function createUndeclaredRates({
  counters,
  policy,
}: {
  readonly counters: Counters;
  readonly policy: Pick<Policy, 'rates'>;
}): (declared: Question, found: Question) => Promise<readonly string[]> {
  const counted = new Set<string>();
  return async (declared, found) => {
    for (const { key } of policy.rates(declared)) counted.add(key);
    for (const take of policy.rates(found)) {
      if (counted.has(take.key)) continue;
      counted.add(take.key);
      const answer = await counters.take(take);
      if (answer.kind === 'taken') continue;
      const over = refusals.overLimit(take, answer.retryAfterMs);
      return 'failure' in over ? [over.failure.message] : [take.key];
    }
    return [];
  };
}
