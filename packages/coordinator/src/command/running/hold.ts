import type { Claim, Lease } from '@signalbox/core';

/** The lease a command holds while it runs, and how it is exchanged. */
export type Hold = {
  /** Undefined while it waits for other claims. */
  lease(): Lease | undefined;
  /**
   * Releases everything and takes these claims instead, through the queue. Nothing of the command is alive while it
   * waits, so no other command waits for it. `placeless`: no process will start under the new lease.
   *
   * @returns Null if it waited too long, or `signal` was aborted: it holds nothing then.
   */
  exchange(
    claims: readonly Claim[],
    options: { readonly placeless: boolean; readonly signal: AbortSignal },
  ): Promise<Lease | null>;
};
