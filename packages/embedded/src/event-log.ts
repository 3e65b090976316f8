import {
  type Clock,
  type Event,
  EventId,
  type EventLog,
  type Logger,
  NewEvent,
  type Replay,
} from '@signalbox/core';
import type { Database, Row } from './database.ts';
import { createListeners } from './listeners.ts';
import { numberOf, textOf } from './row.ts';

/** Default minimum number of events kept. */
const KEPT_EVENTS = 100_000;
/** Events read per page. */
const PAGE = 1000;

export type EmbeddedEventLog = EventLog & {
  /** Stores events within the caller's transaction; pass the result to `publish` once that has committed. */
  insert(events: readonly NewEvent[]): readonly Event[];
  /** Notifies the subscribers. */
  publish(events: readonly Event[]): void;
};

export function createEventLog(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default 100,000. Trimmed whenever a hundredth of that number was added. */
  readonly keep?: number;
}): EmbeddedEventLog {
  const { database, clock, logger, keep = KEPT_EVENTS } = options;
  const listeners = createListeners<Event>((error) =>
    logger.error({ error }, 'event listener failed; it stays subscribed'),
  );
  const insertRow = database.prepare('INSERT INTO events (ms, n, at, event) VALUES (?, ?, ?, ?)');
  const selectAfter = database.prepare(
    'SELECT ms, n, at, event FROM events WHERE (ms, n) > (?, ?) ORDER BY ms, n LIMIT ?',
  );
  // Most events belong to commands: this query skips them without reading their content.
  const selectOfSessions = database.prepare(
    `SELECT ms, n, at, event FROM events WHERE (ms, n) > (?, ?) AND json_type(event, '$.commandId') IS NULL ORDER BY ms, n LIMIT ?`,
  );
  const selectLast = database.prepare('SELECT position, ms, n FROM events ORDER BY position DESC LIMIT 1');
  const selectTrimmed = database.prepare('SELECT ms, n FROM trimmed');
  const trim = createTrim(database, keep);

  const lastRow = selectLast.get();
  let last: Position = lastRow === undefined ? BEFORE_ALL : positionOf(lastRow);

  const insert = (events: readonly NewEvent[]): readonly Event[] => {
    const inserted = events.map((event) => {
      const at = clock.now();
      last = after(last, Math.floor(at));
      insertRow.run(last.ms, last.n, at, JSON.stringify(event));
      return { ...event, id: idOf(last), at };
    });
    trim(inserted.length);
    return inserted;
  };

  return {
    insert,
    publish: listeners.send,
    subscribe: listeners.add,

    async append(events) {
      const stored = database.transaction(() => insert(events));
      listeners.send(stored);
      return stored;
    },

    async since(id, limit = 1000): Promise<Replay> {
      if (id === null) return { kind: 'events', events: read(BEFORE_ALL) };
      const from = parseId(id);
      const trimmed = selectTrimmed.get();
      // Another process may have published since this one last did.
      const newest = isBefore(last, from) ? selectLast.get() : undefined;
      if (isBefore(newest === undefined ? last : positionOf(newest), from)) return { kind: 'reset' };
      if (trimmed !== undefined && isBefore(from, positionOf(trimmed))) return { kind: 'reset' };
      return { kind: 'events', events: read(from) };

      function read({ ms, n }: Position): readonly Event[] {
        return selectAfter.all(ms, n, limit).map(eventIn);
      }
    },

    async eachOfSessions(take) {
      for (let at = BEFORE_ALL; ;) {
        const rows = selectOfSessions.all(at.ms, at.n, PAGE);
        for (const row of rows) take(eventIn(row));
        const end = rows.at(-1);
        if (end === undefined || rows.length < PAGE) return;
        at = positionOf(end);
      }
    },

    async lastId() {
      const row = selectLast.get();
      return row === undefined ? null : idOf(positionOf(row));
    },
  };
}

function eventIn(row: Row): Event {
  return {
    ...NewEvent.parse(JSON.parse(textOf(row, 'event'))),
    id: idOf(positionOf(row)),
    at: numberOf(row, 'at'),
  };
}

/** Drops the oldest events beyond `keep`, but only once a hundredth of that number was added since the last trim. */
function createTrim(database: Database, keep: number): (added: number) => void {
  const newestToDrop = database.prepare(
    'SELECT position, ms, n FROM events WHERE position = (SELECT max(position) FROM events) - ?',
  );
  const note = database.prepare('INSERT OR REPLACE INTO trimmed (only, ms, n) VALUES (1, ?, ?)');
  const drop = database.prepare('DELETE FROM events WHERE position <= ?');
  const batch = Math.ceil(keep / 100);
  let sinceTrimming = batch;
  return (added) => {
    sinceTrimming += added;
    if (sinceTrimming < batch) return;
    sinceTrimming = 0;
    const row = newestToDrop.get(keep);
    if (row === undefined) return;
    note.run(numberOf(row, 'ms'), numberOf(row, 'n'));
    drop.run(numberOf(row, 'position'));
  };
}

type Position = { readonly ms: number; readonly n: number };

const BEFORE_ALL: Position = { ms: -1, n: 0 };

/** The next id, which grows even while the clock stands still or goes back. */
function after(last: Position, ms: number): Position {
  return ms > last.ms ? { ms, n: 0 } : { ms: last.ms, n: last.n + 1 };
}

function isBefore(a: Position, b: Position): boolean {
  return a.ms === b.ms ? a.n < b.n : a.ms < b.ms;
}

function positionOf(row: Parameters<typeof numberOf>[0]): Position {
  return { ms: numberOf(row, 'ms'), n: numberOf(row, 'n') };
}

function idOf({ ms, n }: Position): EventId {
  return `${ms}-${n}` as EventId;
}

function parseId(id: EventId): Position {
  const [ms, n] = id.split('-').map(Number);
  return { ms: ms ?? 0, n: n ?? 0 };
}
