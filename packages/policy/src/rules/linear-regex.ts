import { RE2JS, RE2Set, type RE2JSSyntaxException } from 're2js';

export type LinearRegex = {
  /** Upper bound on the work for each letter of a text: the size of the compiled pattern. */
  readonly steps: number;
  /** Whether a text contains a match anywhere. */
  finds(text: string): boolean;
};

/** A pattern that can't be used; the message says why, lower case. */
export class RegexSyntaxError extends Error {}

/** Most steps of one pattern for each letter of a text. */
const MAX_STEPS = 2000;
/**
 * What a pattern keeps of the texts it was tried on. Usual patterns need a tenth of it; what needs more is searched
 * without keeping anything, and a repository may bring 2,000 patterns.
 */
const MAX_BYTES_KEPT = 32_768;

/**
 * A regular expression that takes at most length of text × `steps`, for any input: the JavaScript engine can be made to
 * run for ever, and patterns may come from a repository.
 *
 * @throws {RegexSyntaxError} for what is not regular, or too large
 */
export function compileRegex(pattern: string): LinearRegex {
  const source = withAllBlanks(pattern);
  const steps = sizeOf(source);
  if (steps > MAX_STEPS) throw new RegexSyntaxError('too large');
  let set: RE2Set | undefined;
  return {
    steps,
    finds(text) {
      set ??= setOf(source);
      return set.match(text).length > 0;
    },
  };
}

function sizeOf(source: string): number {
  try {
    return RE2JS.compile(source).programSize();
  } catch (error) {
    const { message } = error as RE2JSSyntaxException;
    throw new RegexSyntaxError(message.replace('error parsing regexp: ', ''), { cause: error });
  }
}

/** A set of one: only of a set the library lets us bound what it keeps. */
function setOf(source: string): RE2Set {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_BYTES_KEPT);
  set.add(source);
  return set;
}

/** What `\s` stands for in JavaScript; RE2's covers ASCII only, so a line could evade a rule by other white space. */
const BLANKS = String.raw`\t-\r\p{Z}\x{FEFF}`;

function withAllBlanks(pattern: string): string {
  return pattern.replaceAll(CLASS_OR_ESCAPE, (part) => {
    if (part === String.raw`\s`) return `[${BLANKS}]`;
    if (part === String.raw`\S`) return `[^${BLANKS}]`;
    // Brackets and backslashes of quoted text would be taken for syntax here.
    if (part === String.raw`\Q`)
      throw new RegexSyntaxError(String.raw`quotes text with \Q: escape its special characters instead`);
    return part.startsWith('[')
      ? part.replaceAll(/\\[^]/g, (one) => (one === String.raw`\s` ? BLANKS : one))
      : part;
  });
}

const CLASS_OR_ESCAPE = /\[\^?\]?(?:\[:\^?\w{1,10}:\]|\\[^]|[^\]\\])*\]?|\\[^]/g;
