import {
  type Clock,
  type Lease,
  LeaseLostError,
  type LeaseTerm,
  type Logger,
  type Scheduler,
} from '@signalbox/core';
import type { Hold } from './hold.ts';

export type Renewing = {
  readonly stop: () => void;
  /** Call when the command has taken another lease, whose time to live begins. */
  readonly follow: () => void;
  /** Passed to whatever must end a process if this one is frozen and can't renew. */
  readonly term: LeaseTerm;
};

/**
 * Renews a command's lease at a third of its time to live, and calls `lost` when it is gone, or could not be renewed
 * for two thirds of it. While the command waits for other claims there is nothing to renew.
 */
export function keepRenewed(
  {
    scheduler,
    hold,
    clock,
    logger,
  }: {
    readonly scheduler: Scheduler;
    readonly hold: Hold;
    readonly clock: Clock;
    readonly logger: Logger;
  },
  lost: () => void,
): Renewing {
  const thirdMs = scheduler.leaseTtlMs / 3;
  const listeners = new Set<() => void>();
  let renewed = { lease: hold.lease()?.leaseId, at: clock.monotonic() };
  let cancel = clock.timer(thirdMs, renew);

  /** The lease held now. If it is another one than before, its time to live begins. */
  function follow(): Lease | undefined {
    const lease = hold.lease();
    if (lease?.leaseId !== renewed.lease) renewed = { lease: lease?.leaseId, at: clock.monotonic() };
    return lease;
  }

  function renew(): void {
    const askedAt = clock.monotonic();
    const lease = follow();
    // The last renewal was never answered.
    if (lease !== undefined && askedAt - renewed.at > 2.5 * thirdMs) return lost();
    cancel = clock.timer(thirdMs, renew);
    if (lease === undefined) return;
    const { leaseId, commandId } = lease;
    scheduler.renew(leaseId).then(
      () => onRenewed({ lease: leaseId, at: askedAt }),
      (error: unknown) => {
        // Released meanwhile.
        if (hold.lease()?.leaseId !== leaseId) return;
        logger.warn({ commandId, leaseId, error }, 'lease not renewed');
        if (error instanceof LeaseLostError || askedAt - renewed.at >= 2 * thirdMs) lost();
      },
    );
  }

  function onRenewed(now: typeof renewed): void {
    if (renewed.lease !== now.lease) return;
    renewed = now;
    for (const listener of listeners) listener();
  }

  return {
    stop: () => cancel(),
    follow: () => void follow(),
    term: {
      current: hold.lease,
      remainingMs: () => scheduler.leaseTtlMs - (clock.monotonic() - renewed.at),
      onRenewed(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
