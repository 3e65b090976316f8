import {
  type CommandFilter,
  type CommandId,
  type CommandRecord,
  type EventId,
  fitsFilter,
  newestFirst,
} from '@signalbox/core';
import { isAfter } from '../events/event-position.ts';

/** Commands as this process last saw them: those that are not done, and the latest that are. */
export type KnownRecords = {
  /** `through`: the newest event that this revision can be told of; null: unknown. */
  put(record: CommandRecord, through: EventId | null): void;
  /** Whether that event may tell of a later revision than is known. */
  isNewer(id: CommandId, event: EventId): boolean;
  /** It is there no more. */
  forget(id: CommandId): void;
  get(id: CommandId): CommandRecord | undefined;
  /** Ids that begin so, sorted, at most 20; `undefined` where none is known: others may be stored. */
  find(prefix: string): readonly CommandId[] | undefined;
  list(filter: CommandFilter): readonly CommandRecord[];
  /** In the order they were submitted. */
  unfinished(): readonly CommandRecord[];
};

type Entry = { readonly record: CommandRecord; readonly through: EventId | null; readonly length: number };

const MOST_FOUND = 20;
const MOST_DONE = 500;
/** Of those that are done, as JSON, in UTF-16 units; those that are not done are bounded by the queue. */
const MOST_LENGTH = 16 * 1024 * 1024;

export function createKnownRecords(): KnownRecords {
  const open = new Map<CommandId, Entry>();
  /** In the order they were taken in as done. */
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
      for (const oldest of done.keys()) if (done.size > MOST_DONE || doneLength > MOST_LENGTH) forget(oldest);
    },
    isNewer(id, event) {
      const through = entryOf(id)?.through ?? null;
      return through === null || isAfter(event, through);
    },
    forget,
    get: (id) => entryOf(id)?.record,
    find(prefix) {
      const found = [...open.keys(), ...done.keys()].filter((id) => id.startsWith(`cmd_${prefix}`));
      return found.length === 0 ? undefined : found.toSorted().slice(0, MOST_FOUND);
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
