/** One thing that was asked of a backend on another machine, when its answer came or failed to. */
export type BackendCall = {
  /** Of a fixed few, such as `enqueue`. */
  readonly name: string;
  readonly seconds: number;
  readonly ok: boolean;
};

/** For whoever measures. */
export type BackendCalls = {
  /** Call the answer to hear no more. */
  listen(listener: (call: BackendCall) => void): () => void;
};
