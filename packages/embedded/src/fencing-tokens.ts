import type { EmbeddedFacts } from './facts.ts';

const KEY = 'fencing-high-water-mark';

/** Tokens reserved with one write; at most this many are skipped after a crash. */
const RESERVE = 1000;

/**
 * Fencing tokens that only grow, across restarts and crashes: no token is issued before the file holds a mark at or
 * above it.
 *
 * @param above A token known from another source to be issued. If the file's mark is lower, the file was lost, and
 * tokens continue far above it.
 */
export function createFencingTokens(
  facts: EmbeddedFacts,
  above = 0,
): {
  next(): number;
  /** Returns the unused part of the reservation. */
  close(): void;
} {
  const mark = markIn(facts);
  let last = mark < above ? above + RESERVE : mark;
  let reserved = mark < above ? mark : last;
  return {
    next() {
      if (last === reserved) {
        facts.write(KEY, reserved + RESERVE);
        reserved += RESERVE;
      }
      last += 1;
      return last;
    },
    close() {
      if (reserved !== last) facts.write(KEY, last);
      reserved = last;
    },
  };
}

function markIn(facts: EmbeddedFacts): number {
  const mark = facts.read(KEY);
  return typeof mark === 'number' ? mark : 0;
}
