import { distance } from 'fastest-levenshtein';

/** Longer words are not typing errors. */
const LONGEST = 200;

/** The candidate nearest to a misspelt word, when it is near enough to have been meant. */
export function nearestWord(
  word: string,
  candidates: Iterable<string>,
  { bound = Math.max(1, Math.floor(word.length / 3)) }: Readonly<{ bound?: number }> = {},
): string | undefined {
  if (word === '' || word.length > LONGEST) return undefined;
  let best: { candidate: string; edits: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > bound) continue;
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits <= bound && (best === undefined || edits < best.edits)) best = { candidate, edits };
  }
  return best?.candidate;
}

/** Insertions, deletions and replacements that make one word of the other; a lone swap of neighbours counts as one. */
function editDistance(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const swapped = `${a.slice(0, at)}${a.charAt(at + 1)}${a.charAt(at)}${a.slice(at + 2)}`;
  return at < a.length && swapped === b ? 1 : distance(a, b);
}
