/** For a test that time itself decides. */
export type Timed = {
  /** How often it is tried anew where time is real and the machine may be too busy for it; default 0. */
  readonly retry?: number;
};
