import * as z from 'zod';

/** The eleven categories of S001-95 (arXiv:2601.16280), in its order. */
export const ErrorCategory = z.enum([
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
export type ErrorCategory = z.infer<typeof ErrorCategory>;

/** Worth a retry as is, without the model. */
const TRANSIENT: ReadonlySet<ErrorCategory> = new Set([
  'RateLimited',
  'ServerError',
  'NetworkError',
  'Timeout',
]);

/** The model wrote the call badly and may write it again: the only ones that may cause self-reflection (S001-96). */
const QUALITY: ReadonlySet<ErrorCategory> = new Set(['InvalidParameters', 'TypeMismatch']);

export function isTransient(category: ErrorCategory): boolean {
  return TRANSIENT.has(category);
}

export function isQualityFailure(category: ErrorCategory): boolean {
  return QUALITY.has(category);
}

/** The model reads it after `retryable:`: true for transient failures and for calls worth rewriting. */
export function isRetryable(category: ErrorCategory): boolean {
  return isTransient(category) || isQualityFailure(category);
}
