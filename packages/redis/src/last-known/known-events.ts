import type { Event, EventId, Replay } from '@signalbox/core';
import { isAfter } from '../events/event-position.ts';

/** The latest events, without a gap. */
export type KnownEvents = {
  /** Adds the next event; an event already known is ignored. */
  add(event: Event): void;
  /** Replies like an event log, and with `reset` where only the backend would know. */
  since(id: EventId | null, limit: number): Replay;
  lastId(): EventId | null;
  /** Known events without a command, oldest first. */
  ofSessions(): readonly Event[];
};

const MAX_EVENTS = 5000;
/** Bound on text, in UTF-16 units. An event without output counts as USUAL_LENGTH. */
const MAX_LENGTH = 8 * 1024 * 1024;
const USUAL_LENGTH = 500;

/** @param start events of the log, and the id before them; null: there was never an event before them */
export function createKnownEvents(start: {
  readonly events: readonly Event[];
  readonly after: EventId | null;
}): KnownEvents {
  const events = [...start.events];
  let floor = start.after;
  let length = lengthOf(events);
  dropOldest();

  function lastId(): EventId | null {
    return events.at(-1)?.id ?? floor;
  }

  function dropOldest(): void {
    while (events.length > MAX_EVENTS || length > MAX_LENGTH) {
      const [oldest] = events.splice(0, 1);
      if (oldest === undefined) return;
      length -= lengthOf([oldest]);
      floor = oldest.id;
    }
  }

  return {
    lastId,
    ofSessions: () => events.filter((event) => !('commandId' in event)),
    add(event) {
      if (!isAfter(event.id, lastId())) return;
      events.push(event);
      length += lengthOf([event]);
      dropOldest();
    },
    since(id, limit) {
      if (id === null) return { kind: 'events', events: events.slice(0, limit) };
      const last = lastId();
      if (last === null || isAfter(id, last)) return { kind: 'reset' };
      if (floor !== null && isAfter(floor, id)) return { kind: 'reset' };
      const first = events.findIndex((event) => isAfter(event.id, id));
      return { kind: 'events', events: first < 0 ? [] : events.slice(first, first + limit) };
    },
  };
}

function lengthOf(events: readonly Event[]): number {
  return events.reduce(
    (sum, event) => sum + USUAL_LENGTH + (event.type === 'command_output' ? event.output.length : 0),
    0,
  );
}
