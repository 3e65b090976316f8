import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createMessageBudget } from './message-bounds.ts';

test('a server may send 20,000 messages per 10 s', async () => {
  const clock = createManualClock();
  const budget = createMessageBudget(clock);
  const taken = () => Array.from({ length: 20_001 }, () => budget.take());
  expect(taken().indexOf(false)).toBe(20_000);
  await clock.advance(9999);
  expect(budget.take()).toBe(false);
  await clock.advance(1);
  expect(taken().indexOf(false)).toBe(20_000);
});
