import type { Clock, Lease, LeaseTerm, Logger } from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import * as scripts from './execution-scripts.ts';

export type WatchedLease = {
  /** Passed to the executor, whose supervisor kills the program if this process is frozen. */
  readonly term: LeaseTerm;
  /** Call when nothing runs under it any more. */
  stop(): void;
};

/** Polls per time to live of the lease. */
const POLLS_PER_TTL = 6;

/**
 * Polls Redis for a lease that a coordinator renews, and calls `onLost` when it is lost or when no reply came before
 * its end. The end is measured on this process's monotonic clock, from the moment before the last answered poll was
 * sent.
 */
export function watchLease(options: {
  readonly connection: RedisConnection;
  readonly lease: Lease;
  readonly ttlMs: number;
  /** Remaining time, as of `askedAt`. */
  readonly first: { readonly leftMs: number; readonly askedAt: number };
  readonly onLost: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}): WatchedLease {
  const { connection, lease, ttlMs, clock, logger, onLost } = options;
  const listeners = new Set<() => void>();
  let until = options.first.askedAt + options.first.leftMs;
  let stopped = false;
  let cancelPoll = clock.timer(ttlMs / POLLS_PER_TTL, poll);
  let cancelDeadline = clock.timer(Math.max(0, until - clock.monotonic()), lose);

  function lose(): void {
    if (stopped) return;
    stop();
    logger.warn(
      { leaseId: lease.leaseId, commandId: lease.commandId },
      'lease is over; its command is stopped',
    );
    onLost();
  }

  function poll(): void {
    if (stopped) return;
    cancelPoll = clock.timer(ttlMs / POLLS_PER_TTL, poll);
    const askedAt = clock.monotonic();
    connection.run(scripts.leaseLeft, lease).then(
      (leftMs) => receive(leftMs, askedAt),
      (error: unknown) => logger.warn({ leaseId: lease.leaseId, error }, 'lease not asked for; trying again'),
    );
  }

  function receive(leftMs: number, askedAt: number): void {
    if (stopped) return;
    if (leftMs <= 0) return lose();
    if (askedAt + leftMs <= until) return;
    until = askedAt + leftMs;
    cancelDeadline();
    cancelDeadline = clock.timer(Math.max(0, until - clock.monotonic()), lose);
    for (const listener of listeners) listener();
  }

  function stop(): void {
    stopped = true;
    cancelPoll();
    cancelDeadline();
  }

  return {
    stop,
    term: {
      remainingMs: () => until - clock.monotonic(),
      onRenewed(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      current: () => lease,
    },
  };
}
