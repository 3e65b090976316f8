/** One request to a backend on another machine, reported when it was answered or failed. */
export type BackendCall = {
  /** From a small fixed set, such as `enqueue`. */
  readonly name: string;
  readonly seconds: number;
  readonly ok: boolean;
};

/** For metrics. */
export type BackendCalls = {
  /** Returns a function that unsubscribes. */
  listen(listener: (call: BackendCall) => void): () => void;
};
