import { expect, test } from 'vitest';
import { memoryGrowth } from './memory-growth.ts';

const during = (rssMb: (minute: number) => number) =>
  Array.from({ length: 61 }, (_, minute) => ({ atMs: minute * 60_000, rssMb: rssMb(minute) }));

test('memory that keeps growing is noticed, and warm-up, garbage and small growth are not', () => {
  expect(memoryGrowth(during((minute) => 200 + 10 * minute))).toBe(
    'its memory grew from 500 to 700 MB between the second and the last third',
  );
  expect(memoryGrowth(during((minute) => 400 - 300 / (minute + 1)))).toBe(null);
  expect(memoryGrowth(during((minute) => 300 + 60 * (minute % 2)))).toBe(null);
  expect(memoryGrowth(during((minute) => 300 + minute))).toBe(null);
  expect(memoryGrowth([])).toBe(null);
});
