import { type UnavailableCode, UnavailableError } from '@signalbox/core';

/**
 * System error codes (errno(3)), alone or with the failing call, that the user can fix: our code, the reason in words,
 * and the fix.
 */
const REASONS: Readonly<Record<string, Readonly<{ code: UnavailableCode; reason: string; next: string }>>> = {
  ENOSPC: { code: 'disk-full', reason: 'the disk is full', next: 'Free some space' },
  EDQUOT: { code: 'disk-full', reason: 'your share of the disk is full', next: 'Free some space' },
  EROFS: {
    code: 'read-only',
    reason: 'the file system is read-only',
    next: 'Work on a copy that may be written',
  },
  // Node.js reports this when a folder and its parents are to be made in a read-only place.
  'ENOENT mkdir': {
    code: 'read-only',
    reason: 'it can’t be made there: its file system is read-only, or the folder above is gone',
    next: 'Work on a copy that may be written',
  },
  EACCES: { code: 'not-permitted', reason: 'this account may not', next: 'Check who owns it: ls -ld' },
  EPERM: { code: 'not-permitted', reason: 'this account may not', next: 'Check who owns it: ls -ld' },
  'EEXIST mkdir': {
    code: 'not-a-folder',
    reason: 'a file is where a folder should be',
    next: 'Move it away',
  },
  ENOTDIR: {
    code: 'not-a-folder',
    reason: 'a file is where a folder should be',
    next: 'Move it away',
  },
  EISDIR: {
    code: 'not-a-file',
    reason: 'a folder is where a file should be',
    next: 'Move it away',
  },
  EMFILE: {
    code: 'too-many-files',
    reason: 'this account has too many files open',
    next: 'Raise the limit: ulimit -n',
  },
  ENFILE: {
    code: 'too-many-files',
    reason: 'the machine has too many files open',
    next: 'End other programs',
  },
  EIO: {
    code: 'disk-broken',
    reason: 'the disk can’t be read or written',
    next: 'Look into the system’s log',
  },
};

/** An error of the operating system as one of ours; undefined for any other error. */
export function machineRefusal(error: unknown): UnavailableError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  const found = REASONS[`${String(error.code)} ${String(error.syscall)}`] ?? REASONS[String(error.code)];
  if (found === undefined) return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? ` with "${error.path}"` : '';
  return new UnavailableError(found.code, `Cannot go on${path}: ${found.reason}`, {
    why: [error.message],
    next: [found.next],
    cause: error,
  });
}
