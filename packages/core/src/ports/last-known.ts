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
 * process last knew. Writes go to the backend's own ports and fail when those fail. No decision is based on these
 * reads.
 *
 * Anything that this process does not know fails with the error of the backend's own port.
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
