import { type Failure, SandboxError, StaleWriteError, UnavailableError } from '@signalbox/core';
import { expect, test } from 'vitest';
import { outcomeOfError } from './outcome-of.ts';

function failed(failure: Omit<Failure, 'visibility'>) {
  return { kind: 'failed', failure: { ...failure, visibility: 'visible' } };
}

test.each<[string, unknown, unknown]>([
  [
    'a file that others changed',
    new StaleWriteError('a.txt', null),
    {
      kind: 'conflict',
      failure: {
        code: 'stale-write',
        category: 'InvalidParameters',
        message: 'Cannot write "a.txt": it is not what you read',
        suggestion: 'Read the file again and redo your change on the new text',
        visibility: 'visible',
      },
    },
  ],
  [
    'a dependency that is away',
    new UnavailableError('redis-gone', 'Cannot reach Redis', {
      why: ['connection refused'],
      next: ['redis-server', 'another step'],
    }),
    failed({
      code: 'redis-gone',
      category: 'ServerError',
      message: 'Cannot reach Redis',
      suggestion: 'redis-server',
      why: ['connection refused'],
    }),
  ],
  [
    'a dependency that is away, without a known remedy',
    new UnavailableError('redis-gone', 'Cannot reach Redis'),
    failed({
      code: 'redis-gone',
      category: 'ServerError',
      message: 'Cannot reach Redis',
      suggestion: 'Try again later',
      why: [],
    }),
  ],
  [
    'no sandbox',
    new SandboxError('Cannot confine it', { why: ['no user namespaces'], next: ['something else'] }),
    failed({
      code: 'sandbox_error',
      category: 'PermanentFailure',
      message: 'Cannot confine it',
      suggestion: 'Tell the user to run: signalbox doctor',
      why: ['no user namespaces'],
    }),
  ],
  [
    'a command that can’t be confined, with a remedy',
    new SandboxError('Cannot confine it', { isOfCommand: true, next: ['Remove the socket'] }),
    failed({
      code: 'command_not_confined',
      category: 'PermanentFailure',
      message: 'Cannot confine it',
      suggestion: 'Remove the socket',
    }),
  ],
  [
    'a command that can’t be confined, with a remedy that is a person’s',
    new SandboxError('Cannot confine it', { isOfCommand: true, next: ['signalbox doctor'] }),
    failed({
      code: 'command_not_confined',
      category: 'PermanentFailure',
      message: 'Cannot confine it',
      suggestion: 'Tell the user to run: signalbox doctor',
    }),
  ],
  [
    'a command that can’t be confined, without a remedy',
    new SandboxError('Cannot confine it', { isOfCommand: true }),
    failed({
      code: 'command_not_confined',
      category: 'PermanentFailure',
      message: 'Cannot confine it',
      suggestion: 'Change what the line names or writes, or ask the user',
    }),
  ],
  [
    'a bug',
    new TypeError('x is undefined'),
    {
      kind: 'failed',
      failure: {
        code: 'internal',
        category: 'PermanentFailure',
        message: 'TypeError: x is undefined',
        visibility: 'hidden',
      },
    },
  ],
  [
    'something other than an error',
    'broken pipe',
    {
      kind: 'failed',
      failure: {
        code: 'internal',
        category: 'PermanentFailure',
        message: 'broken pipe',
        visibility: 'hidden',
      },
    },
  ],
])('a model reads why its call failed and what to do next: %s (S001-94)', (_name, error, expected) => {
  expect(outcomeOfError(error, undefined)).toEqual(expected);
});
