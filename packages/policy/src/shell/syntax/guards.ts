import type { Reason } from '@signalbox/core';

/** Longer lines are not analysed: parsing 16 KiB of `$(` costs half a second. */
export const MAX_LINE_LENGTH = 16_384;
/** More brackets open at once than this are not analysed. */
export const MAX_NESTING = 32;

/** Backticks nest by escapes, so they are only counted; 16 KiB of them cost the parser 5 ms. */
const MAX_BACKTICKS = 1024;
/** The parser visits all pending here-documents at each new one; 5000 of them cost it 10 ms. */
const MAX_HERE_DOCUMENTS = 1024;
/** Characters to be read if each substitution is searched for its end through the whole line: about 8 ms. */
const MAX_SEARCHED = 2 ** 21;

export type Guard = Readonly<{
  code: string;
  text: string;
  /** `dangerous` when the line can't be analysed at all, `warning` when its tree is still usable. */
  level: 'warning' | 'dangerous';
  fires(line: string): boolean;
}>;

/** Input that the parser must not be trusted with. Each sets a minimum level. */
export const GUARDS: readonly Guard[] = [
  {
    code: 'too-long',
    text: `is longer than ${MAX_LINE_LENGTH} characters`,
    level: 'dangerous',
    fires: (line) => line.length > MAX_LINE_LENGTH,
  },
  {
    code: 'too-nested',
    text: `nests more than ${MAX_NESTING} brackets`,
    level: 'dangerous',
    fires: (line) => nestingOf(line) > MAX_NESTING,
  },
  {
    code: 'too-many',
    text: 'contains too many substitutions or here-documents for its length',
    level: 'dangerous',
    fires: (line) =>
      countOf(/`/g, line) > MAX_BACKTICKS ||
      countOf(/<</g, line) > MAX_HERE_DOCUMENTS ||
      (countOf(/[$<>]\(/g, line) + countOf(/\$\{/g, line) / 2) * line.length > MAX_SEARCHED,
  },
  {
    code: 'control-character',
    text: 'contains control characters',
    level: 'warning',
    fires: (line) => /(?![\n\t])[\p{Cc}\p{Cf}]/u.test(line),
  },
  {
    code: 'ill-formed',
    text: 'is not valid Unicode',
    level: 'warning',
    fires: (line) => !line.isWellFormed(),
  },
  {
    code: 'trailing-backslash',
    text: 'ends in a backslash with no line to join',
    level: 'warning',
    fires: (line) => /(?<!\\)\\(?:\\\\)*$/.test(line),
  },
  {
    code: 'ansi-continuation',
    text: "continues a line inside $'…'",
    level: 'warning',
    fires: (line) => line.includes('\\\n') && /\$'[^']*\\\n/.test(line),
  },
];

/** Whether a guard forbids the analysis itself. */
export function isUnanalysable(reasons: readonly Reason[]): boolean {
  return reasons.some((reason) => reason.level === 'dangerous');
}

/** Number of simultaneously open brackets, ignoring quotes and escapes; words that open a block count too. */
function nestingOf(line: string): number {
  let open = 0;
  let most = 0;
  for (let at = 0; at < line.length && most <= MAX_NESTING; at += 1) {
    const char = line.codePointAt(at);
    if (char === 40 || char === 123 || char === 91) open += 1;
    else if ((char === 41 || char === 125 || char === 93) && open > 0) open -= 1;
    if (open > most) most = open;
  }
  const blocks = line.match(/\b(?:if|case|while|until|for|select)\b/g)?.length ?? 0;
  return blocks > MAX_NESTING ? Math.max(most, openBlocks(line)) : most;
}

function countOf(sign: RegExp, line: string): number {
  return line.match(sign)?.length ?? 0;
}

function openBlocks(line: string): number {
  let open = 0;
  let most = 0;
  for (const [word] of line.matchAll(/\b(?:if|case|while|until|for|select|fi|esac|done)\b/g)) {
    open = /^(?:fi|esac|done)$/.test(word) ? Math.max(0, open - 1) : open + 1;
    most = Math.max(most, open);
  }
  return most;
}
