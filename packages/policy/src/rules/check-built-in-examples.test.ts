import { expect, test } from 'vitest';
import { checkBuiltInExamples } from './check-built-in-examples.ts';

test('every example that stands beside what is known of a program holds', () => {
  const examples = checkBuiltInExamples();
  expect(examples.length).toBeGreaterThan(500);
  expect(examples.filter(({ got, expects }) => got !== expects)).toEqual([]);
});
