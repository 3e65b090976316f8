import { NO_USAGE, type Usage } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createBudget } from './budget.ts';
import { read, setUpHarness } from './testing/session-harness.ts';

const USAGE: Usage = { ...NO_USAGE, inputTokens: 1_000_000, outputTokens: 100_000 };
const PRICES = { inputPerMillion: 3, outputPerMillion: 15 };

test('tokens and dollars of all turns add up', async () => {
  const harness = setUpHarness(
    [
      { kind: 'answer', calls: [read('c1')], usage: USAGE },
      { kind: 'answer', text: 'Done.', usage: USAGE },
    ],
    () => ({ content: 'aaa' }),
  );
  const { usage, costUsd } = await harness.start({ prices: PRICES }).finished;
  expect({ input: usage.inputTokens, output: usage.outputTokens, costUsd }).toEqual({
    input: 2_000_000,
    output: 200_000,
    costUsd: 9,
  });
});

test('sessions that share a budget stop before the turn that it can’t pay for', async () => {
  const budget = createBudget(9);
  const turn = (id: string) => ({ kind: 'answer', calls: [read(id)], usage: USAGE }) as const;
  const first = setUpHarness([turn('c1'), { kind: 'answer', text: 'Done.', usage: NO_USAGE }], () => ({
    content: 'a',
  }));
  const second = setUpHarness([turn('c1'), turn('c2')], () => ({ content: 'a' }));
  expect(await first.start({ prices: PRICES, budget }).finished).toMatchObject({ finish: 'finished' });
  expect(await second.start({ prices: PRICES, budget }).finished).toMatchObject({
    finish: 'budget',
    turns: 1,
    calls: [{ callId: 'c1', success: true }],
    costUsd: 4.5,
  });
  expect(budget.spentUsd()).toBe(9);
});
