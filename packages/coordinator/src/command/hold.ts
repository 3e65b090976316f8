import type { Claim, Lease } from '@signalbox/core';

/** What a command holds while it runs, and how that changes. */
export type Hold = {
  /** Undefined while it waits for other claims. */
  lease(): Lease | undefined;
  /**
   * Gives all back and takes these claims instead, in its turn. Nothing of it lives while it waits, so that nobody
   * waits for it. `placeless`: no process of it will start under the new lease.
   *
   * @returns Null when it waited too long, or `signal` was aborted: it holds nothing then.
   */
  exchange(
    claims: readonly Claim[],
    options: { readonly placeless: boolean; readonly signal: AbortSignal },
  ): Promise<Lease | null>;
};
