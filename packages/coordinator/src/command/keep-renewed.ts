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
  /** To be called when the command has taken another lease, whose life begins. */
  readonly follow: () => void;
  /** Tells who must end a process, should we be frozen and renew nothing. */
  readonly term: LeaseTerm;
};

/**
 * Renews a command's lease at a third of its life, and calls `lost` when it is gone, or could not be renewed for
 * two thirds of its life. While the command waits for other claims there is nothing to renew.
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

  /** The lease that is held now. The life of another one than before begins. */
  function follow(): Lease | undefined {
    const lease = hold.lease();
    if (lease?.leaseId !== renewed.lease) renewed = { lease: lease?.leaseId, at: clock.monotonic() };
    return lease;
  }

  function renew(): void {
    const askedAt = clock.monotonic();
    const lease = follow();
    // The last one was never answered.
    if (lease !== undefined && askedAt - renewed.at > 2.5 * thirdMs) return lost();
    cancel = clock.timer(thirdMs, renew);
    if (lease === undefined) return;
    const { leaseId, commandId } = lease;
    scheduler.renew(leaseId).then(
      () => onRenewed({ lease: leaseId, at: askedAt }),
      (error: unknown) => {
        // Given back meanwhile.
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
