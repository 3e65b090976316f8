import type { WatchedName } from './watched-names.ts';

export type DirectCall = {
  /** Paths the call's approval allows it to change. */
  readonly agreed: string[];
  /** The files before the call. A reverted change of another call does not count as one of them. */
  readonly namesBefore: Map<string, WatchedName>;
  /** Whether it or a concurrent call makes git fetch. */
  fetches: boolean;
};

/**
 * The running calls of all guards of a workspace in this process. A change approved for one is not held against
 * another.
 */
export type RunningCalls = Set<DirectCall>;
