/** For a test that depends on timing. */
export type Timed = {
  /** Number of retries with real time, where the machine may be too busy; default 0. */
  readonly retry?: number;
};
