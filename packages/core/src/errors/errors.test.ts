import { expect, test } from 'vitest';
import { LeaseLostError, SignalboxError, ToolFailure, UsageError } from './errors.ts';

test('an error carries its name, code, cause, facts and next steps', () => {
  const cause = new Error('below');
  const error = new UsageError('usage', 'Cannot use "x": it is no name', {
    cause,
    why: ['names have two letters'],
    next: ['Choose another'],
  });
  expect(error).toBeInstanceOf(SignalboxError);
  const { name, code, message, why, next } = error;
  expect({ name, code, message, cause: error.cause, why, next }).toEqual({
    name: 'UsageError',
    code: 'usage',
    message: 'Cannot use "x": it is no name',
    cause,
    why: ['names have two letters'],
    next: ['Choose another'],
  });
});

test('an error without details has empty ones', () => {
  const error = new LeaseLostError('Cannot renew lease "a": it has expired');
  expect([error.code, error.why, error.next]).toEqual(['lease-lost', [], []]);
});

test('a tool failure becomes a failure that the model may see', () => {
  const options = { code: 'not-found', category: 'PermanentFailure', message: 'Cannot read "a"' } as const;
  expect(new ToolFailure(options).toFailure()).toEqual({ ...options, visibility: 'visible' });
  expect(new ToolFailure({ ...options, suggestion: 'Look first', why: ['gone'] }).toFailure()).toEqual({
    ...options,
    suggestion: 'Look first',
    why: ['gone'],
    visibility: 'visible',
  });
});
