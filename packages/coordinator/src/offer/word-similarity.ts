/** Constants of BM25 (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009). */
const K1 = 1.2;
const B = 0.75;

/** Words that say nothing about a tool. */
const STOP_WORDS = new Set(
  'a an and are as at be but by can do does for from has have how i if in into is it its me my not of on one or our please so that the their them then there this to up us was we what when which who will with you your'.split(
    ' ',
  ),
);

/**
 * How well each text fits a query, by the words they share: 1 for the best, 0 for none (BM25).
 *
 * @returns null when no text shares a word with the query
 */
export function wordSimilarities(query: string, texts: readonly string[]): readonly number[] | null {
  const wanted = new Set(wordsOf(query));
  const documents = texts.map(countsOf);
  const lengths = documents.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length) || 1;
  const scores = documents.map(() => 0);
  for (const word of wanted) {
    const having = documents.filter((counts) => counts.has(word)).length;
    if (having === 0) continue;
    const weight = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    for (const [index, counts] of documents.entries()) {
      const count = counts.get(word) ?? 0;
      const norm = K1 * (1 - B + (B * (lengths[index] ?? 0)) / meanLength);
      scores[index] = (scores[index] ?? 0) + (weight * count * (K1 + 1)) / (count + norm);
    }
  }
  const best = Math.max(0, ...scores);
  return best === 0 ? null : scores.map((score) => score / best);
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Lower case, without endings: `reads`, `reading` and `read` are one word. */
function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map(stemOf);
}

function stemOf(word: string): string {
  for (const ending of ['ings', 'ing', 'ies', 'ied', 'es', 'ed', 's', 'y'])
    if (word.length >= ending.length + 3 && word.endsWith(ending)) return word.slice(0, -ending.length);
  return word;
}
