/** Paths that a program was let change, as its call named them. */
export type RunningCall = { readonly agreed: string[] };

/** Calls that run now, of all guards of a workspace in this process: what one was let change is no fault of another. */
export type RunningCalls = Set<RunningCall>;
