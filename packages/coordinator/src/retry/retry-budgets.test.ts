import { expect, test } from 'vitest';
import { createRetryBudgets } from './retry-budgets.ts';

test('a task has one budget, whoever asks for it, and other tasks have their own', () => {
  const budgets = createRetryBudgets();
  budgets.of('a').spend(300);
  budgets.of('a').spend(200);
  expect([budgets.of('a').spentMs(), budgets.of('b').spentMs()]).toEqual([500, 0]);
});

test('the budgets of a thousand tasks are kept, the latest used', () => {
  const budgets = createRetryBudgets();
  budgets.of('first').spend(1);
  for (let n = 0; n < 999; n++) budgets.of(`task ${n}`).spend(1);
  budgets.of('first').spend(1);
  budgets.of('one more').spend(1);
  expect([budgets.of('first').spentMs(), budgets.of('task 0').spentMs()]).toEqual([2, 0]);
});
