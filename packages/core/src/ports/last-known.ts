import type { CommandStore } from './command-store.ts';
import type { EventLog } from './event-log.ts';
import type { Facts } from './facts.ts';

/** A backend on another machine that does not answer. */
export type BackendOutage = {
  /** Epoch milliseconds, by the clock of this process. */
  readonly since: number;
  /** All that was known of the backend by this moment is in what is told meanwhile; epoch milliseconds. */
  readonly asOf: number;
  /** For people, without the address of anything. */
  readonly why: string;
};

/**
 * For people who look while the backend is away: its ports, whose reads are then answered by what this process last
 * knew. They change what the backend's own do, and refuse what these refuse. Nothing is ever decided by them.
 *
 * What this process does not know is refused as the backend's own port refuses it.
 */
export type LastKnown = {
  /** Null while the backend answers. */
  away(): BackendOutage | null;
  /** Calls back when it went, and when it came back; call the answer to end that. */
  onChange(listener: () => void): () => void;
  /** Of commands that ended it knows the latest few hundred. */
  readonly store: CommandStore;
  /** Of events it knows the latest few thousand. */
  readonly events: EventLog;
  readonly facts: Facts;
};
