import { nearestWord, UsageError } from '@signalbox/core';
import type * as z from 'zod';
import type { Argument } from './subcommand-row.ts';
import { findRow } from './subcommand-table.ts';

/**
 * The message for invalid arguments: the first problem, in the words of the table.
 *
 * @param given the parsed command line, by the names of arguments and flags
 */
export function usageProblem(subcommand: string, given: unknown, error: z.ZodError): UsageError {
  const [issue] = error.issues;
  const key = String(issue?.path[0] ?? '');
  const argument = argumentOf(subcommand, key);
  const word = valueOf(given, key);
  if (argument?.choices !== undefined && typeof word === 'string')
    return unknownWord(subcommand, word, argument);
  const name = key === 'line' ? 'the shell line after --' : (argument?.name ?? flagOf(key));
  const what = word === undefined ? ' is missing' : `: ${issue === undefined ? '' : inWords(issue)}`;
  return new UsageError('usage', `Cannot run "signalbox ${subcommand}": ${name}${what}`, {
    why: error.issues.slice(1).map((other) => `${flagOf(String(other.path[0] ?? ''))}: ${inWords(other)}`),
    next: [`signalbox ${subcommand} --help`],
  });
}

/** A zod problem in words for people. */
function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
}

function unknownWord(subcommand: string, word: string, { name, choices = [] }: Argument): UsageError {
  const meant = nearestWord(word, choices);
  return new UsageError('usage', `Cannot run "signalbox ${subcommand} ${word}": there is no such ${name}`, {
    why: [`${name} is one of ${choices.join(', ')}`],
    next: [
      ...(meant === undefined ? [] : [`did you mean: signalbox ${subcommand} ${meant}`]),
      `signalbox ${subcommand} --help`,
    ],
  });
}

function argumentOf(subcommand: string, key: string): Argument | undefined {
  return findRow(subcommand)?.args?.find(({ name }) => name.toLowerCase() === key);
}

function valueOf(given: unknown, key: string): unknown {
  return typeof given === 'object' && given !== null ? Reflect.get(given, key) : undefined;
}

function flagOf(key: string): string {
  return key.length <= 1 ? key : `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
