import type { CommandRecord } from '../../commands/command.ts';
import { RevisionError } from '../../errors/errors.ts';
import { type Event, EventId, type NewEvent } from '../../event.ts';
import type { CommandId } from '../../id.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type CommandStore,
  countsOfUnfinished,
  fitsFilter,
  type HistoryTotals,
  newestFirst,
  unfinishedOf,
} from '../../ports/command-store.ts';
import type { EventLog } from '../../ports/event-log.ts';

/** Commands and events in memory, for tests: one log, and a store that appends to it. */
export function createMemoryStore(
  clock: Clock,
  options: { /** Events; default 100,000. */ readonly keep?: number } = {},
): { readonly store: CommandStore; readonly events: EventLog } {
  const { keep = 100_000 } = options;
  const records = new Map<CommandId, CommandRecord>();
  const listeners = new Set<(event: Event) => void>();
  let log: readonly Event[] = [];
  let rotated: readonly CommandRecord[] = [];
  let count = 0;
  let dropped: EventId | null = null;

  function append(events: readonly NewEvent[]): readonly Event[] {
    // A value that JSON can't represent is refused before anything is stored.
    const copies = JSON.parse(JSON.stringify(events)) as NewEvent[];
    const stored = copies.map((event): Event => {
      count += 1;
      return { ...event, id: EventId.parse(`0-${count}`), at: clock.now() };
    });
    log = [...log, ...stored];
    dropped = log.at(-keep - 1)?.id ?? dropped;
    log = log.slice(-keep);
    for (const event of stored) queueMicrotask(() => tell(event));
    return stored;
  }

  function tell(event: Event): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch {
        // The listener stays subscribed.
      }
    }
  }

  const events: EventLog = {
    append: async (newEvents) => append(newEvents),
    async since(id, limit = 1000) {
      if (id === null) return { kind: 'events', events: log.slice(0, limit) };
      const index = log.findIndex((event) => event.id === id);
      if (index < 0 && id !== dropped) return { kind: 'reset' };
      return { kind: 'events', events: log.slice(index + 1, index + 1 + limit) };
    },
    async eachOfSessions(take) {
      for (const event of log) if (!('commandId' in event)) take(event);
    },
    lastId: async () => log.at(-1)?.id ?? null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  const finished = (): readonly CommandRecord[] =>
    [...records.values()].filter(({ state }) => state === 'done');

  const store: CommandStore = {
    async commit(record, newEvents) {
      if (record.revision !== (records.get(record.id)?.revision ?? 0) + 1) {
        throw new RevisionError(`Cannot store ${record.id} at revision ${record.revision}`);
      }
      append(newEvents);
      records.set(record.id, structuredClone(record));
    },
    get: async (id) => records.get(id) ?? null,
    find: async (prefix) =>
      [...records.keys()]
        .filter((id) => id.startsWith(`cmd_${prefix}`))
        .toSorted()
        .slice(0, 20),
    list: async (filter) =>
      [...records.values()]
        .filter((record) => fitsFilter(record, filter))
        .toSorted(newestFirst)
        .slice(0, filter.limit ?? 100),
    unfinished: async (of) => unfinishedOf([...records.values()], of),
    async eachUnfinished(take) {
      for (const record of unfinishedOf([...records.values()])) if (!(await take(record))) return;
    },
    countUnfinished: async () => countsOfUnfinished([...records.values()]),
    totals: async () => totalsOf([...rotated, ...finished()]),
    async rotate({ atLeast, since, maxBytes, spared = [] }) {
      const byEnd = finished().toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0));
      let bytes = byEnd.reduce((sum, record) => sum + bytesOf(record), 0);
      const gone: CommandRecord[] = [];
      for (const record of byEnd.slice(0, Math.max(0, byEnd.length - atLeast))) {
        if ((record.endedAt ?? 0) >= since && bytes <= maxBytes) break;
        if (spared.includes(record.context.sessionId)) continue;
        gone.push(record);
        bytes -= bytesOf(record);
      }
      for (const { id } of gone) records.delete(id);
      rotated = [...rotated, ...gone];
      return gone.length;
    },
  };

  return { store, events };
}

function bytesOf(record: CommandRecord): number {
  return Buffer.byteLength(JSON.stringify(record));
}

function totalsOf(records: readonly CommandRecord[]): readonly HistoryTotals[] {
  const totals = new Map<string, HistoryTotals>();
  for (const { context, call, result } of records) {
    if (result === null) continue;
    const { provider } = context;
    const outcome = result.outcome.kind;
    const key = `${provider} ${call.tool} ${outcome}`;
    const before = totals.get(key) ?? { commands: 0, durationMs: 0, waitedMs: 0 };
    totals.set(key, {
      provider,
      tool: call.tool,
      outcome,
      commands: before.commands + 1,
      durationMs: before.durationMs + result.durationMs,
      waitedMs: before.waitedMs + result.waitedMs,
    });
  }
  return [...totals.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
}
