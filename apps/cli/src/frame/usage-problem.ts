import { UsageError } from '@signalbox/core';
import type * as z from 'zod';

/** What a person is told whose arguments a subcommand can't take: the first problem, in the words of the flag. */
export function usageProblem(subcommand: string, error: z.ZodError): UsageError {
  const [issue] = error.issues;
  const key = String(issue?.path[0] ?? '');
  const name = key === 'line' ? 'the shell line after --' : flagOf(key);
  const what =
    issue?.code === 'invalid_type' && issue.input === undefined ? 'is missing' : `: ${issue?.message ?? ''}`;
  return new UsageError('usage', `Cannot run "signalbox ${subcommand}": ${name} ${what}`.replace(' :', ':'), {
    why: error.issues.slice(1).map(({ path, message }) => `${flagOf(String(path[0] ?? ''))}: ${message}`),
    next: [`signalbox ${subcommand} --help`],
  });
}

function flagOf(key: string): string {
  return key.length <= 1 ? key : `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
