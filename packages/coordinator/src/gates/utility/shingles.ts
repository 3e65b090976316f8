/** A text as the set of hashes of its runs of three words; of a shorter one, of itself. */
export type Shingles = ReadonlySet<number>;

const LENGTH = 3;
/** UTF-16 units read of one text, and shingles kept of it: the smallest, a sample that is the same for equal texts. */
const MAX_TEXT = 65_536;
const MAX_KEPT = 64;

export function shinglesOf(text: string): Shingles {
  const words = text.slice(0, MAX_TEXT).match(/[^\s]+/g) ?? [];
  const hashes = new Set<number>();
  for (let at = 0; at <= Math.max(0, words.length - LENGTH); at++)
    hashes.add(hashOf(words.slice(at, at + LENGTH).join(' ')));
  return hashes.size <= MAX_KEPT ? hashes : new Set([...hashes].toSorted((a, b) => a - b).slice(0, MAX_KEPT));
}

/** Jaccard similarity, 0…1: of two samples an estimate. Two empty texts are equal. */
export function similarity(one: Shingles, other: Shingles): number {
  if (one.size === 0 && other.size === 0) return 1;
  let common = 0;
  for (const hash of one) if (other.has(hash)) common += 1;
  return common / (one.size + other.size - common);
}

/** FNV-1a, 32 bits, unsigned. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return hash >>> 0;
}
