/** Time, as an argument: wall clock in epoch milliseconds, and timers. */
export interface Clock {
  /** Epoch milliseconds. May jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds since some fixed moment; never goes back. For durations. */
  monotonic(): number;
  /** Calls back once, after `delayMs` or a little later; at most 2^31-1. Returns a function that cancels it. */
  timer(delayMs: number, callback: () => void): () => void;
}
