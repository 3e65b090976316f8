import { UnavailableError } from './errors.ts';

/** Codes of errno(3) for a full disk or quota. */
const NO_SPACE: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
/** Deepest cause that is inspected. */
const DEEPEST = 8;

/**
 * The outage behind a failure, at any depth of its causes: a backend that does not answer, or a full disk
 * (`disk-full`). Undefined when there is none.
 */
export function findUnavailable(error: unknown): UnavailableError | undefined {
  let cause = error;
  for (let depth = 0; depth < DEEPEST && cause instanceof Error; depth++) {
    if (cause instanceof UnavailableError) return cause;
    if ('code' in cause && NO_SPACE.has(cause.code)) return diskFull(error, cause);
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
