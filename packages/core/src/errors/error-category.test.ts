import { expect, test } from 'vitest';
import { categoryOfExit, ErrorCategory, isQualityFailure, isTransient } from './error-category.ts';

test('there are eleven categories (S001-94, S001-95, X-19)', () => {
  expect(ErrorCategory.options).toEqual([
    'ToolNotFound',
    'InvalidParameters',
    'TypeMismatch',
    'PolicyBlocked',
    'ConfirmationRequired',
    'PermanentFailure',
    'Cancelled',
    'RateLimited',
    'ServerError',
    'NetworkError',
    'Timeout',
  ]);
});

test('a category is transient, or a badly written call, or neither; never both (S001-95, S001-96, X-18)', () => {
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

test("exit code 126 is a refusal, and every other failure is the command's own (X-20, S001-99)", () => {
  expect(categoryOfExit(126)).toBe('PolicyBlocked');
  expect([1, 2, 127, 137, -1].map((code) => categoryOfExit(code))).toEqual(
    Array.from({ length: 5 }, () => 'PermanentFailure'),
  );
});
