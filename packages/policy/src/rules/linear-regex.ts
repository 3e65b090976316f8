import { RE2JS, type RE2JSSyntaxException } from 're2js';

/** Whether a text contains a match anywhere. */
export type LinearRegex = (text: string) => boolean;

/** A pattern that can't be used; the message says why, lower case. */
export class RegexSyntaxError extends Error {}

/** Steps of a compiled pattern, of which each may be taken for each letter of a text. */
const MAX_STEPS = 2000;
/**
 * Letters after which a pattern is compiled again. The engine keeps a state for each letter that leads to a new one, up to
 * 8 MB a pattern, and a repository may bring 2,000 patterns.
 */
const MAX_LETTERS = 1024;

/**
 * A regular expression that takes at most length of text × length of pattern steps, for any input: the JavaScript
 * engine can be made to run for ever, and patterns may come from a repository.
 *
 * @throws {RegexSyntaxError} for what is not regular, or too large
 */
export function compileRegex(pattern: string): LinearRegex {
  const source = withAllBlanks(pattern);
  let compiled = compiledOf(source);
  if (compiled.programSize() > MAX_STEPS) throw new RegexSyntaxError('too large');
  let letters = 0;
  return (text) => {
    const found = compiled.test(text);
    letters += text.length;
    if (letters > MAX_LETTERS) [compiled, letters] = [compiledOf(source), 0];
    return found;
  };
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
    // Brackets and backslashes of quoted text would be taken for syntax here.
    if (part === String.raw`\Q`)
      throw new RegexSyntaxError(String.raw`quotes text by \Q: escape its marks instead`);
    return part.startsWith('[')
      ? part.replaceAll(/\\[^]/g, (one) => (one === String.raw`\s` ? BLANKS : one))
      : part;
  });
}

const CLASS_OR_ESCAPE = /\[\^?\]?(?:\[:\^?\w{1,10}:\]|\\[^]|[^\]\\])*\]?|\\[^]/g;
