import { startWorkCounter } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { queueOf } from './testing/busy-scheduler.ts';

test('a command is as much work for the scheduler with 2,000 waiting as with 20', async () => {
  await using counter = await startWorkCounter();
  const work: number[] = [];
  for (const waiting of [20, 2000]) {
    const queue = await queueOf(waiting);
    const steps = queue.steps(50);
    work.push(await counter.count(steps));
    queue.close();
  }
  const [few = 0, many = 0] = work;
  expect(few).toBeGreaterThan(1000);
  // The depth of a heap grows by the logarithm; a walk over all that wait would be a hundred times as much.
  expect(many / few).toBeLessThan(2);
});
