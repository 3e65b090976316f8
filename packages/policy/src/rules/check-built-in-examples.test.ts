import { expect, test } from 'vitest';
import { checkBuiltInExamples } from './check-built-in-examples.ts';

test('every example in the program table holds', () => {
  const examples = checkBuiltInExamples();
  expect(examples.length).toBeGreaterThan(500);
  expect(examples.filter(({ got, expects }) => got !== expects)).toEqual([]);
});
