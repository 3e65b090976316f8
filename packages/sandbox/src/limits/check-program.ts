import { type ExecutionRequest, UsageError } from '@signalbox/core';

/** Bytes of one argument: Linux's `MAX_ARG_STRLEN`, without the final NUL. */
const MAX_ARGUMENT_BYTES = 131_071;

/**
 * Refuses what the system could not start. Without this check, a line of megabytes would pass its timeout before
 * the system answers.
 *
 * @throws {UsageError} `input-too-large` for a shell line or an argument over 131,071 bytes
 */
export function checkProgram(program: ExecutionRequest['program']): void {
  const words = program.kind === 'shell' ? [program.line] : program.argv;
  const tooLong = words.find((word) => Buffer.byteLength(word) > MAX_ARGUMENT_BYTES);
  if (tooLong === undefined) return;
  const what = program.kind === 'shell' ? 'a shell line' : 'a program with an argument';
  throw new UsageError(
    'input-too-large',
    `Cannot run ${what} of ${Buffer.byteLength(tooLong)} bytes: the system accepts at most ${MAX_ARGUMENT_BYTES}`,
    { next: ['write it to a script of the workspace and run that'] },
  );
}
