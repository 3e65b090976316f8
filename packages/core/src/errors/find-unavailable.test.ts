import { expect, test } from 'vitest';
import { SandboxError, UnavailableError } from './errors.ts';
import { findUnavailable } from './find-unavailable.ts';

test('an outage is found among the causes of the error that it led to, with its own code (F-B5)', () => {
  const gone = new UnavailableError('redis-gone', 'Cannot reach Redis');
  expect(findUnavailable(gone)).toBe(gone);
  expect(findUnavailable(new SandboxError('Cannot put the files', { cause: gone }))).toBe(gone);
});

test('a full disk is found by the error code of the system (F-B3)', () => {
  const cause = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(findUnavailable(new SandboxError('Cannot put the files', { cause }))).toMatchObject({
    code: 'disk-full',
    message: 'Cannot put the files: the disk is full',
  });
});

test('an error of another kind reports no outage, nor does one that is its own cause', () => {
  expect(findUnavailable(new SandboxError('Cannot run commands'))).toBeUndefined();
  expect(findUnavailable('text')).toBeUndefined();
  const endless = new Error('round');
  endless.cause = endless;
  expect(findUnavailable(endless)).toBeUndefined();
});
