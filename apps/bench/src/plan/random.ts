/** Random numbers that are the same for the same seed. */
export type Random = Readonly<{
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from 0, below `count`. */
  below(count: number): number;
  /** True for that share of all calls. */
  isLess(share: number): boolean;
  /** One of these choices, with a probability by weight. */
  pick<Choice extends string>(weights: Readonly<Record<Choice, number>>): Choice;
}>;

/**
 * A separate sequence for each pair of seed and number: numbers drawn for one command do not shift those of the next.
 */
export function createRandom(seed: number, number: number): Random {
  let state = mix(mix(seed >>> 0) ^ (number >>> 0));
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state) / 2 ** 32;
  };
  return {
    next,
    below: (count) => Math.floor(next() * count),
    isLess: (share) => next() < share,
    pick<Choice extends string>(weights: Readonly<Record<Choice, number>>): Choice {
      const choices = Object.entries<number>(weights) as [Choice, number][];
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      const found = choices.find(([, weight]) => (left -= weight) < 0) ?? choices[0];
      if (found === undefined) throw new RangeError('Cannot pick one of nothing');
      return found[0];
    },
  };
}

/** The mixing function of mulberry32. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
