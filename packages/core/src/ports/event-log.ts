import type { Event, EventId, NewEvent } from '../event.ts';

export type Replay =
  | { readonly kind: 'events'; readonly events: readonly Event[] }
  /** The log no longer holds the events right after that id, or never had it: start from a snapshot. */
  | { readonly kind: 'reset' };

/** All events, in one order; at least the last 100,000 are kept, and a few more until they are trimmed. */
export interface EventLog {
  /** For events without a record: output, sessions, modes. Ids and times are assigned here. */
  append(events: readonly NewEvent[]): Promise<readonly Event[]>;
  /** Up to `limit` (default 1,000) events after that id; from the oldest kept when it is `null`. */
  since(id: EventId | null, limit?: number): Promise<Replay>;
  /** Passes each stored event without a command to `take`, oldest first: sessions, runs, modes and warnings. */
  eachOfSessions(take: (event: Event) => void): Promise<void>;
  lastId(): Promise<EventId | null>;
  /**
   * Calls back for every event from now on, in order, each once, after it is stored. A listener that throws is logged
   * and stays subscribed.
   */
  subscribe(listener: (event: Event) => void): () => void;
}
