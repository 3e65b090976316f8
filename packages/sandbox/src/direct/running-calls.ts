import type { WatchedName } from './watched-names.ts';

export type DirectCall = {
  /** Paths that a program was let change, as its call named them. */
  readonly agreed: string[];
  /** What stood before it: what is taken back of another call never did. */
  readonly stood: Map<string, WatchedName>;
  /** Whether it, or one that runs meanwhile, has git fetch. */
  fetches: boolean;
};

/** Calls that run now, of all guards of a workspace in this process: what one was let change is no fault of another. */
export type RunningCalls = Set<DirectCall>;
