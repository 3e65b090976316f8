import type { Claim } from '../claim.ts';
import type { CommandId, LeaseId, ProviderId } from '../id.ts';
import type { Lease } from '../lease.ts';

export type QueueEntry = {
  readonly commandId: CommandId;
  readonly provider: ProviderId;
  /** All granted at once, or none. Empty: it only waits for a free place. */
  readonly claims: readonly Claim[];
  /** Among entries whose claims are free the lower number first; for equal ones see {@link Scheduler}. */
  readonly priority: number;
  /**
   * Of a command whose process is dead and that only wants to put its files: it needs no place, so it is
   * granted as soon as its claims are free, and is never refused for a full queue. Default false.
   */
  readonly placeless?: boolean | undefined;
};

export type Enqueued =
  | { readonly kind: 'granted'; readonly lease: Lease }
  /** `blockers`: who stands before it, earliest first, at most 20; empty when it only waits for a free place. */
  | { readonly kind: 'waiting'; readonly blockers: readonly CommandId[] }
  /** The provider has its full number of waiting commands: nothing was stored. */
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
  /** In the order they were granted; the lost ones too, until they are released. */
  readonly leases: readonly Lease[];
};

export interface SchedulerListener {
  /** A waiting entry holds its claims and a place now. Not called for one that `enqueue` granted at once. */
  granted(lease: Lease): void;
  /** It waited longer than `maxWaitMs` and left the queue. */
  stale(commandId: CommandId, waitedMs: number): void;
  /** The lease expired: stop its process at once. What it claimed stays held until `release`. */
  lost(lease: Lease): void;
}

/**
 * Claims, queue and leases.
 *
 * Conflicting entries are granted in the order they arrived: nobody overtakes, nobody starves, and since
 * all claims of an entry are taken in one step, nothing deadlocks. Entries that don't conflict may start
 * in any order: a free place goes to the lowest priority number, then to the provider that holds the fewest
 * leases, then to the one that got a lease the longest ago, then to the earlier entry. So no provider keeps
 * another of its priority out by sending much. A provider that had neither a lease nor anybody waiting for a
 * place comes after those who were there already.
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
   * Gives a waiting entry another priority: it changes who gets the next place, not who gets a file. False when it holds a
   * lease already, or is not known.
   */
  prioritize(commandId: CommandId, priority: number): Promise<boolean>;
  /**
   * Pushes the expiry back to now plus the time to live, by the backend's clock.
   *
   * @throws {LeaseLostError} when the lease has expired or was released: stop the process it covers.
   */
  renew(leaseId: LeaseId): Promise<Lease>;
  /** Gives all claims back; only when the process is dead. Releasing twice does nothing. */
  release(leaseId: LeaseId): Promise<void>;
  /** Whether this is the living lease of its claims: asked right before files are committed. */
  isCurrent(lease: Lease): Promise<boolean>;
  /** @param most of those that wait, the first so many; default: all */
  snapshot(most?: number): Promise<SchedulerSnapshot>;
  /** Time to live of a lease in milliseconds; renew at a third of it. */
  readonly leaseTtlMs: number;
}

/** Bounds of a scheduler, with the defaults of S003-60 and terminal.md. */
export type SchedulerLimits = {
  /** Commands that run at once; a lost one counts until it is released. Default 3. */
  readonly maxConcurrent: number;
  /** Waiting commands per provider, those that wait for nothing but a place too. Default 10. */
  readonly maxQueuePerProvider: number;
  /** Default 600,000. */
  readonly maxWaitMs: number;
  /** Default 30,000. */
  readonly leaseTtlMs: number;
};
