import { SignalboxError, ToolFailure } from '@signalbox/core';

export function codeOf(cause: unknown): string | null {
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return null;
  return cause.code;
}

type Known = Pick<ConstructorParameters<typeof ToolFailure>[0], 'code' | 'category'> & { why: string };

const DISK_FULL: Known = {
  code: 'disk-full',
  category: 'PermanentFailure',
  why: 'there is no space left to write it',
};
const NOT_PERMITTED: Known = {
  code: 'not-permitted',
  category: 'PermanentFailure',
  why: 'the system does not permit it',
};
const NOT_A_FILE: Known = {
  code: 'not-a-file',
  category: 'InvalidParameters',
  why: 'it is not a regular file',
};

/** System errors (errno(3)) in our own words. */
const KNOWN: Readonly<Record<string, Known>> = {
  ENOENT: { code: 'not-found', category: 'InvalidParameters', why: 'no such file or directory' },
  ENOTDIR: { code: 'not-found', category: 'InvalidParameters', why: 'a part of the path is not a directory' },
  EISDIR: NOT_A_FILE,
  ENXIO: NOT_A_FILE,
  ENOTEMPTY: { ...NOT_A_FILE, why: 'the directory is not empty' },
  ENAMETOOLONG: { code: 'not-found', category: 'InvalidParameters', why: 'a name in it is too long' },
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EFBIG: DISK_FULL,
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: NOT_PERMITTED,
};

/** Rephrases system errors about a path. Other errors are passed on unchanged. */
export async function sayingWhy<Answer>(
  what: string,
  path: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (cause) {
    const known = KNOWN[codeOf(cause) ?? ''];
    if (known === undefined || cause instanceof SignalboxError) throw cause;
    throw fileFailure(known, `Cannot ${what} "${path}": ${known.why}`, { cause });
  }
}

export function notADirectory(what: string, path: string): ToolFailure {
  const code = { code: 'not-a-directory', category: 'InvalidParameters' } as const;
  return fileFailure({ ...code, why: '' }, `Cannot ${what} "${path}": it is not a directory`);
}

export function notAFile(what: string, path: string): ToolFailure {
  return fileFailure(NOT_A_FILE, `Cannot ${what} "${path}": ${NOT_A_FILE.why}`);
}

export function notText(path: string): ToolFailure {
  return fileFailure(
    { code: 'not-text', category: 'PermanentFailure', why: '' },
    `Cannot read "${path}": it is not UTF-8 text`,
  );
}

function fileFailure(
  { code, category }: Known,
  message: string,
  { cause }: Readonly<{ cause?: unknown }> = {},
): ToolFailure {
  return new ToolFailure({ code, category, message, cause });
}
