export type CounterTake = {
  /** `tool:write_file:hour`, `session:ses_…:calls`. */
  readonly key: string;
  readonly limit: number;
  /** Length of the sliding window; `null` counts for ever. */
  readonly windowMs: number | null;
};

export type CounterAnswer =
  | { readonly kind: 'taken'; readonly used: number }
  /** Nothing was counted. `retryAfterMs` until the oldest of the window leaves it; `null`: never. */
  | { readonly kind: 'exhausted'; readonly used: number; readonly retryAfterMs: number | null };

/** Rates and quotas (Q1–Q3). */
export interface Counters {
  /** Counts one, unless the limit is reached; atomic, by the backend's clock. */
  take(request: CounterTake): Promise<CounterAnswer>;
  /** How many the window holds now, without counting. */
  used(key: string, windowMs: number | null): Promise<number>;
}
