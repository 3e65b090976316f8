import { readFile } from 'node:fs/promises';
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
import { screenText } from '../../testing/screen-text.ts';
import { errorView } from '../../views/error-view.ts';
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

test('an error of the operating system is not reported as a bug: it names its file and the way out', async () => {
  const refused = await readFile('/proc/self').catch((error: unknown) => error);
  expect(screenText(errorView(errorReport(refused), 0)))
    .toBe(`error[not-a-file]: Cannot go on: a folder is where a file should be
  why   EISDIR: illegal operation on a directory, read
  next  Move it away`);
  const full = Object.assign(new Error("ENOSPC: no space left on device, open '/w/a'"), {
    code: 'ENOSPC',
    syscall: 'open',
    path: '/w/a',
  });
  expect(errorReport(full)).toMatchObject({
    code: 'disk-full',
    message: 'Cannot go on with "/w/a": the disk is full',
    exit: 6,
  });
  const readOnly = Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'mkdir', path: '/w/.signalbox' });
  expect(errorReport(readOnly).code).toBe('read-only');
  expect(errorReport(Object.assign(new Error('x'), { code: 'ENOSPC' })).code).toBe('invariant');
  expect(errorReport(Object.assign(new Error('x'), { code: 'EBADF', syscall: 'read' })).code).toBe(
    'invariant',
  );
});

test('an error shows what, why and what next; causes only with -v, the stack only with -vv', () => {
  const error = new UnavailableError('missing-api-key', 'Cannot start provider "openai": it has no API key', {
    why: ['OPENAI_API_KEY is not set', '.env files are deliberately not read'],
    next: ['export OPENAI_API_KEY=…'],
    cause: new Error('ENOENT'),
  });
  const report = errorReport(error);
  expect(screenText(errorView(report, 0)))
    .toBe(`error[missing-api-key]: Cannot start provider "openai": it has no API key
  why   OPENAI_API_KEY is not set
        .env files are deliberately not read
  next  export OPENAI_API_KEY=…`);
  expect(screenText(errorView(report, 1))).toContain('  from  ENOENT');
  expect(screenText(errorView(report, 1))).not.toContain('error-report.test.ts');
  expect(screenText(errorView(report, 2))).toContain('error-report.test.ts');
  expect(errorDocument(report)).toEqual({
    error: {
      code: 'missing-api-key',
      message: 'Cannot start provider "openai": it has no API key',
      why: ['OPENAI_API_KEY is not set', '.env files are deliberately not read'],
      next: ['export OPENAI_API_KEY=…'],
      exit: 6,
    },
  });
});

test('a hostile message is escaped, and a long one wraps', () => {
  const report = errorReport(new UsageError('usage', `Cannot read "a\x1b[2Jb": ${'it is gone '.repeat(20)}`));
  const text = screenText(errorView(report, 0, { width: 80 }));
  expect(text).toContain('"a\\x1b[2Jb"');
  for (const row of text.split('\n')) expect(row.length).toBeLessThanOrEqual(80);
});
