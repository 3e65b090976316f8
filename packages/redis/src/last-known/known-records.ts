import {
  type CommandFilter,
  type CommandId,
  type CommandRecord,
  type EventId,
  fitsFilter,
  newestFirst,
} from '@signalbox/core';
import { isAfter } from '../events/event-position.ts';

/** Commands as last seen by this process: unfinished ones, and the latest finished ones. */
export type KnownRecords = {
  /** `through`: the newest event known to be covered by this revision; null: unknown. */
  put(record: CommandRecord, through: EventId | null): void;
  /** Whether that event may belong to a later revision than the known one. */
  isNewer(id: CommandId, event: EventId): boolean;
  /** Removes a record that no longer exists. */
  forget(id: CommandId): void;
  get(id: CommandId): CommandRecord | undefined;
  /** Ids with this prefix, sorted, at most 20; `undefined` if none is known, since others may be stored. */
  find(prefix: string): readonly CommandId[] | undefined;
  list(filter: CommandFilter): readonly CommandRecord[];
  /** In the order they were submitted. */
  unfinished(): readonly CommandRecord[];
};

type Entry = { readonly record: CommandRecord; readonly through: EventId | null; readonly length: number };

const MAX_FOUND = 20;
const MAX_DONE = 500;
/** Bound on finished records as JSON, in UTF-16 units. Unfinished ones are bounded by the queue. */
const MAX_LENGTH = 16 * 1024 * 1024;

export function createKnownRecords(): KnownRecords {
  const open = new Map<CommandId, Entry>();
  /** In the order they were added as finished. */
  const done = new Map<CommandId, Entry>();
  let doneLength = 0;

  function forget(id: CommandId): void {
    open.delete(id);
    doneLength -= done.get(id)?.length ?? 0;
    done.delete(id);
  }

  function entryOf(id: CommandId): Entry | undefined {
    return open.get(id) ?? done.get(id);
  }

  return {
    put(record, through) {
      const known = entryOf(record.id);
      if (known !== undefined && known.record.revision > record.revision) return;
      forget(record.id);
      const entry = {
        record,
        through: laterThrough(known?.through ?? null, through),
        length: record.state === 'done' ? JSON.stringify(record).length : 0,
      };
      (record.state === 'done' ? done : open).set(record.id, entry);
      doneLength += entry.length;
      for (const oldest of done.keys()) if (done.size > MAX_DONE || doneLength > MAX_LENGTH) forget(oldest);
    },
    isNewer(id, event) {
      const through = entryOf(id)?.through ?? null;
      return through === null || isAfter(event, through);
    },
    forget,
    get: (id) => entryOf(id)?.record,
    find(prefix) {
      const found = [...open.keys(), ...done.keys()].filter((id) => id.startsWith(`cmd_${prefix}`));
      return found.length === 0 ? undefined : found.toSorted().slice(0, MAX_FOUND);
    },
    list: (filter) =>
      [...open.values(), ...done.values()]
        .map(({ record }) => record)
        .filter((record) => fitsFilter(record, filter))
        .toSorted(newestFirst)
        .slice(0, filter.limit ?? 100),
    unfinished: () =>
      [...open.values()]
        .map(({ record }) => record)
        .toSorted((a, b) => a.submittedAt - b.submittedAt || (a.id < b.id ? -1 : 1)),
  };
}

function laterThrough(a: EventId | null, b: EventId | null): EventId | null {
  if (a === null || b === null) return a ?? b;
  return isAfter(a, b) ? a : b;
}
