import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shrinkSchedule } from './shrink-schedule.ts';

test('the result is exactly the needed items, wherever they are in the list', async () => {
  const few = fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(few, async (culprits) => {
      const fails = async (part: readonly number[]): Promise<boolean> =>
        culprits.every((culprit) => part.includes(culprit));
      const list = Array.from({ length: 100 }, (_, n) => n);
      const shortest = await shrinkSchedule(list, fails, () => false);
      expect(shortest).toEqual(culprits.toSorted((a, b) => a - b));
    }),
  );
});

test('when the time runs out, the result is the best so far, and it still fails', async () => {
  let tries = 0;
  const fails = async (part: readonly number[]): Promise<boolean> => {
    tries += 1;
    return part.includes(7);
  };
  const list = Array.from({ length: 64 }, (_, n) => n);
  const best = await shrinkSchedule(list, fails, () => tries >= 3);
  expect(best).toContain(7);
  expect(best.length).toBeLessThan(64);
  expect(tries).toBe(3);
});
