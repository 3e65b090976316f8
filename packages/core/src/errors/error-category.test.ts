import { expect, test } from 'vitest';
import { categoryOfExit, ErrorCategory, isQualityFailure, isTransient } from './error-category.ts';

test('the categories are the eleven of S001-95', () => {
  expect(ErrorCategory.options).toHaveLength(11);
});

test('a category is transient, or a badly written call, or neither; never both', () => {
  const { options } = ErrorCategory;
  expect(options.filter((category) => isTransient(category))).toEqual([
    'RateLimited',
    'ServerError',
    'NetworkError',
    'Timeout',
  ]);
  expect(options.filter((category) => isQualityFailure(category))).toEqual([
    'InvalidParameters',
    'TypeMismatch',
  ]);
});

test("exit code 126 is a refusal, and every other failure is the command's own (X-20)", () => {
  expect(categoryOfExit(126)).toBe('PolicyBlocked');
  expect([1, 2, 127, 137, -1].map((code) => categoryOfExit(code))).toEqual(
    Array.from({ length: 5 }, () => 'PermanentFailure'),
  );
});
