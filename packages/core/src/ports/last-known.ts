import type { CommandStore } from './command-store.ts';
import type { EventLog } from './event-log.ts';
import type { Facts } from './facts.ts';

/** A backend on another machine that does not answer. */
export type BackendOutage = {
  /** Epoch milliseconds, by the clock of this process. */
  readonly since: number;
  /** Reads during the outage include everything known of the backend by this moment; epoch milliseconds. */
  readonly asOf: number;
  /** For people, without any address. */
  readonly why: string;
};

/**
 * Read access for people while the backend is away: the backend's ports, whose reads are then answered from what this
 * process last knew. Writes change what the backend's own ports change, and are refused when those refuse. Nothing is
 * ever decided by them.
 *
 * What this process does not know is refused as the backend's own port refuses it.
 */
export type LastKnown = {
  /** Null while the backend answers. */
  away(): BackendOutage | null;
  /** Calls back at the start and the end of an outage; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Knows the latest few hundred finished commands. */
  readonly store: CommandStore;
  /** Knows the latest few thousand events. */
  readonly events: EventLog;
  readonly facts: Facts;
};
