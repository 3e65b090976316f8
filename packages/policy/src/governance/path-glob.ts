/** Tells whether a path, segments parted by `/`, matches a glob. */
export type PathGlob = (path: string) => boolean;

/** More alternatives than this, braces multiplied out, and a glob is not understood. */
const MAX_ALTERNATIVES = 256;

/**
 * Reads a glob: `*` and `?` stay within a segment and match leading dots, `**` as a segment of its own stands
 * for any number of segments, `[a-z]` and `[!a-z]` for one character, `{a,b}` for either. `\` takes the next
 * character literally; everything else, parentheses too, is literal.
 *
 * Time is at most the product of both lengths, whatever the pattern: a library's regular expressions can be
 * made to take for ever, and both pattern and path may come from strangers.
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
  const characters = Array.from(segment);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '*') {
      if (pieces.at(-1) !== 'star') pieces.push('star');
    } else if (character === '?') pieces.push(() => true);
    else if (character === '\\' && at + 1 < characters.length) pieces.push(literal(characters[++at] ?? ''));
    else {
      const end = character === '[' ? characters.indexOf(']', at + 2) : -1;
      pieces.push(end < 0 ? literal(character) : parseClass(characters.slice(at + 1, end)));
      if (end >= 0) at = end;
    }
  }
  return pieces;
}

function literal(wanted: string): Piece {
  return (character) => character === wanted;
}

function parseClass(inner: readonly string[]): Piece {
  const isNegated = inner[0] === '!' || inner[0] === '^';
  const members = isNegated ? inner.slice(1) : inner;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? '';
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([from, isRange ? (members[at + 2] ?? '') : from]);
    if (isRange) at += 2;
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
          const options = cuts.slice(1).map((end, index) => text.slice((cuts[index] ?? 0) + 1, end));
          return { before: text.slice(0, open), options, after: text.slice(at + 1) };
        }
      }
    }
  }
  return undefined;
}
