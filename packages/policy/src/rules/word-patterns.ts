import { starMatch } from '../governance/paths/path-glob.ts';

/** Whether a pattern matches: certainly, certainly not, or known only at run time. */
export type Hit = 'yes' | 'maybe' | 'no';

type Words = readonly (string | null)[];

/**
 * Whether the words match exactly: one pattern a word, `**` for any number of them. An unknown word matches no pattern
 * but `**`.
 */
export function admitsWords(patterns: readonly string[] | null, words: Words): boolean {
  if (patterns === null) return true;
  return starMatch(
    patterns.map((pattern) => (pattern === '**' ? 'star' : pattern)),
    words,
    (pattern, word) => word !== null && matchesWord(pattern, word),
  );
}

/**
 * Whether a command contains these words, to hold it back. Options (`--force`) may be anywhere. The others are at the
 * beginning, in order; options of the line and their values may be between them, and more words after them.
 */
export function findsWords(patterns: readonly string[] | null, words: Words): Hit {
  if (patterns === null) return 'yes';
  if (lacksLiteral(patterns, words)) return 'no';
  const options = patterns.filter((pattern) => pattern.startsWith('-'));
  const operands = patterns.filter((pattern) => !pattern.startsWith('-'));
  return weakest([findsOperands(operands, words), ...options.map((option) => findsOption(option, words))]);
}

/** Fast path: a word that the line certainly does not contain. */
function lacksLiteral(patterns: readonly string[], words: Words): boolean {
  if (words.includes(null)) return false;
  return patterns.some((one) => !one.startsWith('-') && !one.includes('*') && !words.includes(one));
}

export function matchesWord(pattern: string, word: string): boolean {
  if (!pattern.includes('*')) return pattern === word;
  const pieces = Array.from(pattern, (character) => (character === '*' ? 'star' : character));
  return starMatch(pieces, Array.from(word), (piece, character) => piece === character);
}

function findsOperands(patterns: readonly string[], words: Words): Hit {
  let at: ReadonlySet<number> = new Set([0]);
  let isAnywhere = false;
  let isUnclear = false;
  for (const pattern of patterns) {
    if (pattern === '**') {
      isAnywhere = true;
      continue;
    }
    const next = new Set<number>();
    for (const place of placesFrom(at, words, { anywhere: isAnywhere })) {
      const word = words[place];
      // An unknown word may become any number of words.
      if (word === null) isUnclear = true;
      else if (word !== undefined && matchesWord(pattern, word)) next.add(place + 1);
    }
    at = next;
    isAnywhere = false;
    if (at.size === 0) return isUnclear ? 'maybe' : 'no';
  }
  return 'yes';
}

/** Possible positions of the next word: after options, and after what may be an option's value. */
function placesFrom(
  from: ReadonlySet<number>,
  words: Words,
  { anywhere }: Readonly<{ anywhere: boolean }>,
): ReadonlySet<number> {
  const places = new Set<number>();
  for (let place = Math.min(...from); place < words.length; place++) {
    const isReached = from.has(place) || places.has(place) || (anywhere && place >= Math.min(...from));
    if (!isReached) continue;
    places.add(place);
    const word = words[place];
    if (word === null || word === undefined || !word.startsWith('-')) continue;
    places.add(place + 1);
    if (word !== '--' && !word.includes('=')) places.add(place + 2);
  }
  return places;
}

function findsOption(pattern: string, words: Words): Hit {
  let isUnclear = false;
  for (const word of words) {
    if (word === null) isUnclear = true;
    else if (isOption(pattern, word)) return 'yes';
    // Programs accept an abbreviation of a long option.
    else if (pattern.startsWith('--') && word.length > 3 && pattern.startsWith(word)) isUnclear = true;
  }
  return isUnclear ? 'maybe' : 'no';
}

function isOption(pattern: string, word: string): boolean {
  if (matchesWord(pattern, word) || matchesWord(`${pattern}=*`, word)) return true;
  // `-f` in `-uf`.
  const [, letter] = /^-([a-z0-9])$/i.exec(pattern) ?? [];
  return letter !== undefined && /^-[a-z0-9]{2,6}$/i.test(word) && word.includes(letter);
}

const ORDER: Readonly<Record<Hit, number>> = { no: 0, maybe: 1, yes: 2 };

function weakest(hits: readonly Hit[]): Hit {
  return hits.reduce((weaker, hit) => (ORDER[hit] < ORDER[weaker] ? hit : weaker), 'yes');
}
