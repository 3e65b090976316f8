import type { Json } from '../json.ts';

/** A few named values that outlive the process: the operational mode, the coordinator, counters' high-water marks. */
export interface Facts {
  /** `undefined` when it was never set. */
  get(key: string): Promise<Json | undefined>;
  /** Durable against the death of this process when it returns. */
  set(key: string, value: Json): Promise<void>;
  /**
   * Sets the value only if the present one equals `expected` (`undefined`: only if there is none), whatever the order
   * of its keys; atomic. Returns whether it was set.
   */
  compareAndSet(
    key: string,
    options: Readonly<{ expected: Json | undefined; value: Json }>,
  ): Promise<boolean>;
  /**
   * Calls back whenever the value may have changed, from any process, and once after each lost connection; returns a
   * function that unsubscribes. Absent when changes can't be observed: poll then.
   */
  watch?(key: string, changed: () => void): () => void;
}
