import { expect, test } from 'vitest';
import { ErrorCategory, isQualityFailure, isTransient } from './error-category.ts';

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
