import { RE2JS, type RE2JSSyntaxException } from 're2js';

/** Whether a text contains a match anywhere. */
export type LinearRegex = (text: string) => boolean;

/** A pattern that can't be used; the message says why, lower case. */
export class RegexSyntaxError extends Error {}

/** Steps of a compiled pattern, of which each may be taken for each letter of a text. */
const MAX_STEPS = 2000;

/**
 * A regular expression that takes at most length of text × length of pattern steps, for any input: the JavaScript
 * engine can be made to run for ever, and patterns may come from a repository.
 *
 * @throws {RegexSyntaxError} for what is not regular, or too large
 */
export function compileRegex(pattern: string): LinearRegex {
  const compiled = compiledOf(withAllBlanks(pattern));
  if (compiled.programSize() > MAX_STEPS) throw new RegexSyntaxError('too large');
  return (text) => compiled.test(text);
}

function compiledOf(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const { message } = error as RE2JSSyntaxException;
    throw new RegexSyntaxError(message.replace('error parsing regexp: ', ''), { cause: error });
  }
}

/** What `\s` stands for in JavaScript; RE2 knows those of ASCII, and what is meant to be held back must not get past. */
const BLANKS = String.raw`\t-\r\p{Z}\x{FEFF}`;

function withAllBlanks(pattern: string): string {
  return pattern.replaceAll(CLASS_OR_ESCAPE, (part) => {
    if (part === String.raw`\s`) return `[${BLANKS}]`;
    if (part === String.raw`\S`) return `[^${BLANKS}]`;
    return part.startsWith('[')
      ? part.replaceAll(/\\[^]/g, (one) => (one === String.raw`\s` ? BLANKS : one))
      : part;
  });
}

const CLASS_OR_ESCAPE = /\[\^?\]?(?:\\[^]|[^\]\\])*\]?|\\[^]/g;
