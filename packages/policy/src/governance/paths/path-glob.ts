/** Whether a path, with segments separated by `/`, matches a glob. */
export type PathGlob = (path: string) => boolean;

/** A glob with more alternatives, braces multiplied out, is rejected. */
const MAX_ALTERNATIVES = 256;

/**
 * Parses a glob: `*` and `?` stay within a segment and match leading dots, `**` as a segment of its own matches any
 * number of segments, `[a-z]` and `[!a-z]` one character, `{a,b}` either. `\` takes the next character literally;
 * everything else, parentheses too, is literal.
 *
 * Time is at most the product of both lengths, for any pattern: a library's regular expressions can be made to run for
 * ever, and both pattern and path may be untrusted.
 *
 * @returns undefined when braces multiply out to over 256 alternatives
 */
export function parsePathGlob(pattern: string): PathGlob | undefined {
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) return undefined;
  const globs = alternatives.map((alternative) =>
    alternative
      .split('/')
      .filter((segment, at) => at === 0 || (segment !== '' && segment !== '.'))
      .map(parseSegment),
  );
  return (path) => {
    const segments = path.split('/');
    return globs.some((glob) => starMatch(glob, segments, matchesSegment));
  };
}

/** Whether a glob may match something below a folder. */
export function parsePathPrefix(pattern: string): PathGlob {
  const alternatives = expandBraces(pattern) ?? ['**'];
  const globs = alternatives.map((alternative) =>
    alternative
      .split('/')
      .filter((segment) => segment !== '' && segment !== '.')
      .map(parseSegment),
  );
  return (folder) => {
    const segments = folder.split('/');
    return globs.some((glob) => leadsBelow(glob, segments));
  };
}

function leadsBelow(glob: readonly Segment[], segments: readonly string[]): boolean {
  for (const [at, segment] of segments.entries()) {
    const wanted = glob[at];
    if (wanted === 'star') return true;
    if (wanted === undefined || !matchesSegment(wanted, segment)) return false;
  }
  return glob.length > segments.length;
}

type Piece = 'star' | ((character: string) => boolean);
type Segment = 'star' | readonly Piece[];

function matchesSegment(pieces: readonly Piece[], segment: string): boolean {
  return starMatch(pieces, Array.from(segment), (piece, character) => piece(character));
}

/** Wildcards over any items: on a mismatch the last star takes one item more. */
export function starMatch<Part, Item>(
  pattern: readonly ('star' | Part)[],
  items: readonly Item[],
  fits: (part: Part, item: Item) => boolean,
): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let mark = 0;
  while (at < items.length) {
    const wanted = pattern[part];
    const item = items[at] as Item;
    if (wanted === 'star') {
      star = part++;
      mark = at;
    } else if (wanted !== undefined && fits(wanted, item)) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[part] === 'star') part++;
  return part === pattern.length;
}

function parseSegment(segment: string): Segment {
  if (segment === '**') return 'star';
  const pieces: Piece[] = [];
  const rest = Array.from(segment);
  for (let character = rest.shift(); character !== undefined; character = rest.shift()) {
    if (character !== '*') pieces.push(character === '?' ? () => true : parsePiece(character, rest));
    else if (pieces.at(-1) !== 'star') pieces.push('star');
  }
  return pieces;
}

/** Consumes the rest of the piece from the input. */
function parsePiece(character: string, rest: string[]): Piece {
  if (character === '\\') return literal(rest.shift() ?? character);
  const end = character === '[' ? rest.indexOf(']', 1) : -1;
  if (end < 0) return literal(character);
  const inner = rest.splice(0, end);
  rest.shift();
  return parseClass(inner);
}

function literal(wanted: string): Piece {
  return (character) => character === wanted;
}

function parseClass(inner: readonly string[]): Piece {
  const isNegated = inner[0] === '!' || inner[0] === '^';
  const rest = inner.slice(isNegated ? 1 : 0);
  const ranges: [string, string][] = [];
  for (let from = rest.shift(); from !== undefined; from = rest.shift()) {
    const [dash, to] = rest;
    const isRange = dash === '-' && to !== undefined;
    ranges.push([from, isRange ? to : from]);
    if (isRange) rest.splice(0, 2);
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}

/** `a{b,c{d,e}}` → `ab`, `acd`, `ace`; braces without a comma or a partner are literal. */
function expandBraces(pattern: string): readonly string[] | undefined {
  let done = [''];
  let rest = pattern;
  for (let brace = findBrace(rest); brace !== undefined; brace = findBrace(rest)) {
    const { before, options, after } = brace;
    const expanded: string[] = [];
    for (const option of options) {
      const inner = expandBraces(option);
      if (inner === undefined) return undefined;
      expanded.push(...inner);
    }
    if (done.length * expanded.length > MAX_ALTERNATIVES) return undefined;
    done = done.flatMap((head) => expanded.map((option) => head + before + option));
    rest = after;
  }
  return done.map((head) => head + rest);
}

type Brace = { readonly before: string; readonly options: readonly string[]; readonly after: string };

/** The first brace with a comma on its level. */
function findBrace(text: string): Brace | undefined {
  for (let open = 0; open < text.length; open++) {
    if (text[open] === '\\') open++;
    else if (text[open] === '{') {
      const commas: number[] = [];
      let depth = 0;
      for (let at = open; at < text.length; at++) {
        if (text[at] === '\\') at++;
        else if (text[at] === '{') depth++;
        else if (text[at] === ',' && depth === 1) commas.push(at);
        else if (text[at] === '}' && --depth === 0) {
          if (commas.length === 0) break;
          const cuts = [open, ...commas, at];
          const options = cuts.slice(1).map((end, index) => text.slice(Number(cuts[index]) + 1, end));
          return { before: text.slice(0, open), options, after: text.slice(at + 1) };
        }
      }
    }
  }
  return undefined;
}
