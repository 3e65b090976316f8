/** Bits of a character: letters without their case, apart from digits and marks. */
const BITS = 6;
const TABLE = 1 << (3 * BITS);

/**
 * A quick test for lines that may contain one of the words, in any case: it looks for the first three characters of
 * each, in one pass. It may say so of other lines, and never misses one; an expression with as many alternatives
 * costs several times as much on the lines that have none of them.
 *
 * @param words of at least three characters each
 */
export function createWordScan(words: readonly string[]): (line: string) => boolean {
  const starts = new Uint8Array(TABLE);
  for (const word of words) {
    if (word.length < 3) throw new Error(`too short to be searched: ${word}`);
    starts[
      Array.from(word.slice(0, 3)).reduce((hash, character) => hashWith(hash, character.charCodeAt(0)), 0)
    ] = 1;
  }
  return (line) => {
    let hash = 0;
    for (let at = 0; at < line.length; at += 1) {
      hash = hashWith(hash, line.charCodeAt(at));
      if (starts[hash] === 1) return true;
    }
    return false;
  };
}

function hashWith(hash: number, code: number): number {
  return ((hash << BITS) | (code & 31) | ((code & 64) >> 1)) & (TABLE - 1);
}
