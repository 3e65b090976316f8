import type { Claim } from '../leases/claim.ts';
import type { CommandId, LeaseId, ProviderId } from '../id.ts';
import type { Lease } from '../leases/lease.ts';

export type QueueEntry = {
  readonly commandId: CommandId;
  readonly provider: ProviderId;
  /** All granted at once, or none. Empty: it only waits for a free slot. */
  readonly claims: readonly Claim[];
  /** Among entries whose claims are free the lower number first; for equal ones see {@link Scheduler}. */
  readonly priority: number;
  /**
   * For a command whose process has exited and that only needs to commit its files: it needs no slot, so it is granted
   * as soon as its claims are free, and is never refused for a full queue. Default false.
   */
  readonly placeless?: boolean | undefined;
};

export type Enqueued =
  | { readonly kind: 'granted'; readonly lease: Lease }
  /** `blockers`: the commands ahead of it, earliest first, at most 20; empty when it only waits for a free slot. */
  | { readonly kind: 'waiting'; readonly blockers: readonly CommandId[] }
  /** The provider has its maximum of waiting commands: nothing was stored. */
  | { readonly kind: 'refused'; readonly waiting: number; readonly limit: number };

export type WaitingEntry = QueueEntry & {
  /** Epoch milliseconds. */
  readonly since: number;
  /** The earliest 20 that it waits for now. */
  readonly blockers: readonly CommandId[];
};

export type SchedulerSnapshot = {
  /** In arrival order. */
  readonly waiting: readonly WaitingEntry[];
  /** In the order they were granted; lost ones too, until they are released. */
  readonly leases: readonly Lease[];
};

export interface SchedulerListener {
  /** A waiting entry holds its claims and a slot now. Not called for one that `enqueue` granted at once. */
  granted(lease: Lease): void;
  /** It waited longer than `maxWaitMs` and left the queue. */
  stale(commandId: CommandId, waitedMs: number): void;
  /** The lease expired: stop its process at once. Its claims stay held until `release`. */
  lost(lease: Lease): void;
}

/**
 * Claims, queue and leases.
 *
 * Conflicting entries are granted in order of arrival: there is no overtaking, hence no starvation, and since all
 * claims of an entry are taken in one step, no deadlock. Entries that don't conflict may start in any order: a free
 * slot goes to the lowest priority number, then to the provider that holds the fewest leases, then to the one that got
 * a lease the longest ago, then to the earlier entry. So no provider can crowd out another of its priority by sending
 * much. A provider that had neither a lease nor an entry waiting for a slot comes after those who were there already.
 *
 * An entry waits while an earlier unfinished one conflicts with it, even if that one itself still waits.
 */
export interface Scheduler {
  /** One listener; grants that came before it was set are delivered to it. */
  listen(listener: SchedulerListener): void;
  /** @throws {InvariantError} when that command waits already or holds a lease: a command enters once. */
  enqueue(entry: QueueEntry): Promise<Enqueued>;
  /** Takes a waiting entry out. False when it holds a lease already, or is not known. */
  cancel(commandId: CommandId): Promise<boolean>;
  /**
   * Gives a waiting entry another priority: it affects who gets the next slot, not who gets a file. False when it holds
   * a lease already, or is not known.
   */
  prioritize(commandId: CommandId, priority: number): Promise<boolean>;
  /**
   * Pushes the expiry back to now plus the time to live, by the backend's clock.
   *
   * @throws {LeaseLostError} when the lease has expired or was released: stop the process it covers.
   */
  renew(leaseId: LeaseId): Promise<Lease>;
  /** Releases all claims; call it only when the process is dead. A second release does nothing. */
  release(leaseId: LeaseId): Promise<void>;
  /** Whether this is the current lease of its claims: checked right before files are committed. */
  isCurrent(lease: Lease): Promise<boolean>;
  /** @param max the first this many waiting entries; default: all */
  snapshot(max?: number): Promise<SchedulerSnapshot>;
  /** Time to live of a lease in milliseconds; renew at a third of it. */
  readonly leaseTtlMs: number;
}

/** Bounds of a scheduler, with the defaults of S003-60 and terminal.md. */
export type SchedulerLimits = {
  /** Commands that run at once; a lost one counts until it is released. Default 3. */
  readonly maxConcurrent: number;
  /** Waiting commands per provider, including those that wait only for a slot. Default 10. */
  readonly maxQueuePerProvider: number;
  /** Default 600,000. */
  readonly maxWaitMs: number;
  /** Default 30,000. */
  readonly leaseTtlMs: number;
};
