import {
  InvariantError,
  LeaseLostError,
  ProviderError,
  RevisionError,
  SandboxError,
  StaleWriteError,
  UnavailableError,
  UsageError,
} from '@signalbox/core';
import { expect, test } from 'vitest';
import { screenText } from '../testing/screen-text.ts';
import { errorView } from '../views/error-view.ts';
import { errorDocument, errorReport } from './error-report.ts';

test('every class of error has its exit code', () => {
  const exits = [
    new UsageError('unknown-id', 'x'),
    new UsageError('already-decided', 'x'),
    new UsageError('inside-command', 'x'),
    new UsageError('needs-approval', 'x'),
    new UnavailableError('no-coordinator', 'x'),
    new UnavailableError('budget-spent', 'x'),
    new SandboxError('x'),
    new ProviderError('Auth', 'x'),
    new LeaseLostError('x'),
    new RevisionError('x'),
    new StaleWriteError('a.ts', null),
    new InvariantError('x'),
    new TypeError('x is not a function'),
    'thrown text',
    new DOMException('stopped', 'AbortError'),
  ].map((error) => errorReport(error).exit);
  expect(exits).toEqual([2, 5, 3, 4, 6, 8, 6, 6, 7, 5, 5, 70, 70, 70, 130]);
});

test('an error says what, why and what next; causes only with -v, the stack only with -vv', () => {
  const error = new UnavailableError('missing-api-key', 'Cannot start provider "openai": it has no API key', {
    why: ['OPENAI_API_KEY is not set', '.env is not read on purpose'],
    next: ['export OPENAI_API_KEY=…'],
    cause: new Error('ENOENT'),
  });
  const report = errorReport(error);
  expect(screenText(errorView(report, 0)))
    .toBe(`error[missing-api-key]: Cannot start provider "openai": it has no API key
  why   OPENAI_API_KEY is not set
        .env is not read on purpose
  next  export OPENAI_API_KEY=…`);
  expect(screenText(errorView(report, 1))).toContain('  from  ENOENT');
  expect(screenText(errorView(report, 1))).not.toContain('error-report.test.ts');
  expect(screenText(errorView(report, 2))).toContain('error-report.test.ts');
  expect(errorDocument(report)).toEqual({
    error: {
      code: 'missing-api-key',
      message: 'Cannot start provider "openai": it has no API key',
      why: ['OPENAI_API_KEY is not set', '.env is not read on purpose'],
      next: ['export OPENAI_API_KEY=…'],
      exit: 6,
    },
  });
});

test('a hostile message is written out, and a long one wraps', () => {
  const report = errorReport(new UsageError('x', `Cannot read "a\x1b[2Jb": ${'it is gone '.repeat(20)}`));
  const text = screenText(errorView(report, 0, 80));
  expect(text).toContain('"a\\x1b[2Jb"');
  for (const row of text.split('\n')) expect(row.length).toBeLessThanOrEqual(80);
});
