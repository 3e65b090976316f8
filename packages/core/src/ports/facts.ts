import type { Json } from '../json.ts';

/** A few named values that outlive the process: the operational mode, who coordinates, counters' high-water marks. */
export interface Facts {
  /** `undefined` when it was never set. */
  get(key: string): Promise<Json | undefined>;
  /** Durable against the death of this process when it returns. */
  set(key: string, value: Json): Promise<void>;
  /**
   * Sets the value only if the present one equals `expected` (`undefined`: only if there is none), whatever
   * the order of its keys; atomic. Answers whether it was set.
   */
  compareAndSet(key: string, expected: Json | undefined, value: Json): Promise<boolean>;
  /**
   * Calls back whenever the value may have changed, whoever set it, and once after each lost connection; answers
   * how to end that. Absent where nobody can tell: look again then.
   */
  watch?(key: string, changed: () => void): () => void;
}
