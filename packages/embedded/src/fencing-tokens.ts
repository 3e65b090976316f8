import type { EmbeddedFacts } from './facts.ts';

const KEY = 'fencing-high-water-mark';

/** How many tokens are set aside with one write; so many are skipped after a crash, at most. */
const RESERVE = 1000;

/**
 * Fencing tokens that only grow, over restarts and crashes too: no token is given before the file holds a
 * mark at or above it.
 *
 * @param above A token that is known to be given, by another account than this file: where the file knows less, it was
 * lost, and tokens go on far beyond that.
 */
export function createFencingTokens(
  facts: EmbeddedFacts,
  above = 0,
): {
  next(): number;
  /** Gives back what was set aside and not used. */
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
