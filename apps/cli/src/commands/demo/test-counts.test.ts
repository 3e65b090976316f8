import { expect, test } from 'vitest';
import { testCountsIn } from './test-counts.ts';

test('the counts of both node reporters are read, also from inside JSON', () => {
  const counts = { passed: 3, failed: 6 };
  expect(testCountsIn('ℹ tests 9\nℹ pass 3\nℹ fail 6\n')).toEqual(counts);
  expect(testCountsIn('# tests 9\n# pass 3\n# fail 6\n')).toEqual(counts);
  expect(testCountsIn(JSON.stringify({ stdout: 'ℹ pass 3\nℹ fail 6\n' }))).toEqual(counts);
});

test('an interrupted run has no counts', () => {
  expect(testCountsIn('✔ an empty cart costs nothing\nℹ pass 3\n')).toBeUndefined();
});
