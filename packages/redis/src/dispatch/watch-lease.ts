import type { Clock, Lease, LeaseTerm, Logger } from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import * as scripts from './execution-scripts.ts';

export type WatchedLease = {
  /** For the executor, whose supervisor kills when this process is frozen. */
  readonly term: LeaseTerm;
  /** Nothing runs under it any more. */
  stop(): void;
};

/** In how many parts of a lease's life a worker asks whether it lives. */
const POLLS_PER_TTL = 6;

/**
 * Asks Redis again and again whether a lease lives that a coordinator renews, and calls `onLost` when it does not, or
 * could not be asked until its end: by our own monotonic clock, counted from the moment before the last answer.
 */
export function watchLease(options: {
  readonly connection: RedisConnection;
  readonly lease: Lease;
  readonly ttlMs: number;
  /** What is left of it, as asked at `askedAt`. */
  readonly first: { readonly leftMs: number; readonly askedAt: number };
  readonly onLost: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}): WatchedLease {
  const { connection, lease, ttlMs, clock, logger, onLost } = options;
  const listeners = new Set<() => void>();
  let until = options.first.askedAt + options.first.leftMs;
  let stopped = false;
  let cancelLook = clock.timer(ttlMs / POLLS_PER_TTL, poll);
  let cancelDeadline = clock.timer(Math.max(0, until - clock.monotonic()), lose);

  function lose(): void {
    if (stopped) return;
    stop();
    logger.warn(
      { leaseId: lease.leaseId, commandId: lease.commandId },
      'lease of a command is over; it is stopped',
    );
    onLost();
  }

  function poll(): void {
    if (stopped) return;
    cancelLook = clock.timer(ttlMs / POLLS_PER_TTL, poll);
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
    cancelLook();
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
