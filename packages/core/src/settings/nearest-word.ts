/** Longer words are nobody's typing error. */
const LONGEST = 200;

/** The candidate nearest to a misspelt word, when it is near enough to have been meant. */
export function nearestWord(
  word: string,
  candidates: Iterable<string>,
  /** Changed letters, at most. */
  bound: number = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  if (word === '' || word.length > LONGEST) return undefined;
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > bound) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= bound && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** Insertions, deletions, replacements and swaps of neighbours that make one word of the other. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > a.length) return a.length;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}
