export type CounterTake = {
  /** `tool:write_file:hour`, `session:ses_…:calls`. */
  readonly key: string;
  readonly limit: number;
  /** Length of the sliding window; `null` counts for ever. */
  readonly windowMs: number | null;
};

export type CounterAnswer =
  | { readonly kind: 'taken'; readonly used: number }
  /** Nothing was counted. `retryAfterMs` until enough have left the window for one more; `null`: never. */
  | { readonly kind: 'exhausted'; readonly used: number; readonly retryAfterMs: number | null };

/** Rates and quotas (Q1–Q3). Each key has one window length. */
export interface Counters {
  /** Counts one, unless the limit is reached; atomic, by the backend's clock. */
  take(request: CounterTake): Promise<CounterAnswer>;
  /** The count of the window now, without counting. */
  used(key: string, windowMs: number | null): Promise<number>;
}
