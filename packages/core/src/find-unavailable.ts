import { UnavailableError } from './errors.ts';

/** Codes of errno(3) for a disk, or a share of one, without room. */
const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
/** Causes of causes are looked at no deeper than that. */
const DEEPEST = 8;

/**
 * What was not there when something failed, however deep it lies in the causes: a backend that does not answer, or
 * room on the disk (`disk-full`). Undefined where the error tells of nothing like it.
 */
export function findUnavailable(error: unknown): UnavailableError | undefined {
  let cause = error;
  for (let depth = 0; depth < DEEPEST && cause instanceof Error; depth++) {
    if (cause instanceof UnavailableError) return cause;
    if ('code' in cause && NO_ROOM.has(cause.code)) return diskFull(error, cause);
    cause = cause.cause;
  }
  return undefined;
}

function diskFull(error: unknown, cause: Error): UnavailableError {
  const what = error instanceof Error && error !== cause ? error.message : 'Cannot go on';
  return new UnavailableError('disk-full', `${what}: the disk is full`, {
    cause,
    why: [cause.message],
    next: ['Free some space on the disk; work resumes by itself'],
  });
}
