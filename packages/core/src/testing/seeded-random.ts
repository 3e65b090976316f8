import type { RandomBytes } from '../id.ts';

/** The same bytes at every run, for ids that a test can predict (mulberry32). */
export function createSeededRandom(seed = 1): RandomBytes {
  let state = seed >>> 0;
  const nextByte = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) & 0xff;
  };
  return (length) => Uint8Array.from({ length }, nextByte);
}
