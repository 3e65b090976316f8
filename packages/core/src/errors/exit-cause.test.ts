import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { causeOfExit } from './exit-cause.ts';
import { ErrorCategory } from './error-category.ts';

test("exit code 126 is a refusal and 127 the line's own failure, whatever standard error says (V2, X-20, S001-99)", () => {
  const stderr = 'curl: (6) Could not resolve host: example.com';
  expect(causeOfExit(126, stderr)).toEqual({ category: 'PolicyBlocked' });
  expect(causeOfExit(127, stderr)).toEqual({ category: 'PermanentFailure' });
  expect(causeOfExit(1, stderr).category).toBe('NetworkError');
});

test.for<readonly [string, ErrorCategory, RegExp]>([
  ['', 'PermanentFailure', /^$/],
  ['something else', 'PermanentFailure', /^$/],
  ['touch: /etc/x: PERMISSION DENIED', 'PermanentFailure', /may not access/],
  ['cat: a.txt: No such file or directory', 'PermanentFailure', /does not exist/],
  ["Error: EACCES: permission denied, open '/x'", 'PermanentFailure', /may not access/],
  ['cp: error writing x: No space left on device', 'PermanentFailure', /disk is full/],
  ['FATAL ERROR: JavaScript heap out of memory', 'PermanentFailure', /memory/],
  ['npm error code EAI_AGAIN', 'NetworkError', /reach a server/],
  ["fatal: unable to access 'https://a/': Could not resolve host: a", 'NetworkError', /reach a server/],
  ['psql: error: connection to server failed: Connection refused', 'NetworkError', /reach a server/],
  ['npm error 429 Too Many Requests', 'RateLimited', /wait before/],
  ['curl: (22) The requested URL returned error: 503 Service Unavailable', 'ServerError', /later/],
  ["fatal: Unable to create '/w/.git/index.lock': File exists.", 'ServerError', /lock/],
  ['context deadline exceeded', 'Timeout', /waiting/],
  ['bash: -c: line 1: syntax error near unexpected token `)', 'InvalidParameters', /parse the line/],
  ["error: unexpected argument '--frob' found", 'InvalidParameters', /--help/],
  ['sort: invalid option -- y', 'InvalidParameters', /--help/],
])('%j is %s (V2, S001-99)', ([stderr, category, suggestion]) => {
  const cause = causeOfExit(1, stderr);
  expect(cause.category).toBe(category);
  expect(cause.suggestion ?? '').toMatch(suggestion);
});

test('the last line that says why counts, not the ones before or after it (V2)', () => {
  const stderr = [
    'cat: settings.local: No such file or directory',
    'connect ECONNREFUSED 127.0.0.1:5432',
    '    at TCPConnectWrap.afterConnect',
    'Node.js v24',
  ].join('\n');
  expect(causeOfExit(1, stderr).category).toBe('NetworkError');
});

test('any standard error has a category, and only its end is read (V2)', () => {
  fc.assert(
    fc.property(fc.integer(), fc.string({ unit: 'binary' }), (code, stderr) => {
      expect(ErrorCategory.options).toContain(causeOfExit(code, stderr).category);
    }),
  );
  const far = `no space left on device\n${'x\n'.repeat(100)}`;
  expect(causeOfExit(1, far)).toEqual({ category: 'PermanentFailure' });
  expect(causeOfExit(1, '50'.repeat(3_000_000))).toEqual({ category: 'PermanentFailure' });
});
