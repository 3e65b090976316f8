import { type Execution, SandboxError, UnavailableError } from '@signalbox/core';
import type { InitReport } from './bubblewrap/init.ts';
import type { ProcessEnd } from './process.ts';

export type ExecutionEnd = Execution['ended'];

export const UNWATCHED: ExecutionEnd = {
  kind: 'stopped',
  why: 'The supervisor that stops commands without a lease has exited, so the command was no longer watched',
};

/** The end of a command the supervisor killed for an unrenewed lease; null if it did not. */
export function unrenewed(unheardMs: number | null): ExecutionEnd | null {
  if (unheardMs === null) return null;
  const seconds = (unheardMs / 1000).toFixed(1);
  const why = `Its lease was not renewed for ${seconds} s: Signalbox itself was frozen or had no processor time, and others may get its resources`;
  return { kind: 'stopped', why };
}

/** How a command ended that was not interrupted. */
export function endingOf(report: InitReport, end: ProcessEnd): ExecutionEnd {
  if (report.kind === 'signalled' && report.signal === 'SIGXFSZ') {
    return { kind: 'limited', limit: 'max_file_mb' };
  }
  if (report.kind === 'exited' || report.kind === 'signalled') return report;
  // The sandbox init itself was killed, by the command or from outside.
  return end.kind === 'signalled' ? end : { kind: 'signalled', signal: 'SIGKILL' };
}

/** @param output What the programs that set up the confinement printed. */
export function setUpFailure(end: ProcessEnd, output: string): SandboxError | UnavailableError {
  if (output.includes('No space left on device'))
    return new UnavailableError('disk-full', 'Cannot run the command: the disk is full', {
      why: [output.trim()],
      next: ['Free some space on the disk; work resumes by itself'],
    });
  const why = output.split('\n').filter((line) => line.trim() !== '');
  return new SandboxError('Cannot run the command: its sandbox could not be set up', {
    ...(end.kind === 'failed' ? { cause: end.cause } : {}),
    why: end.kind === 'failed' ? [end.cause.message, ...why] : why,
    next: ['signalbox doctor'],
  });
}
