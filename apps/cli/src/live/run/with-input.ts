import { UsageError } from '@signalbox/core';

/** The most that `bash` accepts, including the line. */
const MOST_CHARACTERS = 16_384;

/**
 * The line with a text as its standard input: as a here-document, so that it is judged, shown and recorded with its
 * input. A text that does not end with a newline gets one.
 *
 * @throws {UsageError} `usage` for input that is too long or not text
 */
export function withInput(line: string, input: string): string {
  if (input === '') return line;
  if (input.includes('\0')) throw noInput('it is not text', []);
  const rows = input.replace(/\n$/, '').split('\n');
  let end = 'SIGNALBOX_INPUT';
  while (rows.includes(end)) end += '_';
  const whole = [`{ ${line}`, `} <<'${end}'`, ...rows, end].join('\n');
  if (whole.length <= MOST_CHARACTERS) return whole;
  throw noInput('it is too long', [`line and input may have at most ${MOST_CHARACTERS} characters together`]);
}

function noInput(what: string, why: readonly string[]): UsageError {
  return new UsageError('usage', `Cannot pass standard input to the line: ${what}`, {
    why,
    next: ["write it to a file of the workspace, then: signalbox exec -- 'sort < names.txt'"],
  });
}
