import {
  CommandId,
  CommandRecord,
  type CommandStore,
  type EventId,
  type HistoryTotals,
  RevisionError,
} from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import type { RedisEventLog } from '../events/event-log.ts';
import { commit, countUnfinished, list, readTotals, rotate, unfinished } from './command-scripts.ts';

const MAX_FOUND = 20;

/** Commands examined by one script call, which blocks Redis. */
const ROTATE_AT_ONCE = 500;

/** @param onStored called for each record that this process has stored, with the id of its last event */
export function createCommandStore(
  connection: RedisConnection,
  log: RedisEventLog,
  onStored: (record: CommandRecord, lastEvent: EventId | null) => void = () => undefined,
): CommandStore {
  const { prefix } = connection;
  return {
    async commit(record, events) {
      const texts = events.map((event) => JSON.stringify(event));
      const { keep } = log;
      const reply = await connection.run(commit, { record, events: texts, keep, topic: log.topic() });
      if (reply[0] === 'stale')
        throw new RevisionError(`Cannot store "${record.id}": another process changed it`, {
          why: [`it has revision ${reply[1]}, and ${record.revision} was to be stored`],
        });
      const [, ...ids] = reply;
      log.stored(ids);
      onStored(record, ids.at(-1) ?? null);
    },

    async get(id) {
      const text = await connection.ask((redis) => redis.hget(`${prefix}command:${id}`, 'record'));
      return text === null ? null : (readable([[id, text]], ignore)[0] ?? null);
    },

    async find(idPrefix) {
      const first = `[cmd_${idPrefix}`;
      const found = await connection.ask((redis) =>
        redis.zrangebylex(`${prefix}commands:ids`, first, `${first}\u{10ffff}`, 'LIMIT', 0, MAX_FOUND),
      );
      return found.map((id) => CommandId.parse(id));
    },

    list: (filter) =>
      firstReadable(filter.limit ?? 100, (limit) => connection.run(list, { ...filter, limit })),

    unfinished: ({ states, limit = Number.MAX_SAFE_INTEGER } = {}) =>
      firstReadable(limit, (max) => connection.run(unfinished, { ...(states && { states }), limit: max })),

    async eachUnfinished(take, onUnreadable) {
      const found = readable(await connection.run(unfinished, {}), onUnreadable);
      for (const record of found) if (!(await take(record))) return;
    },

    async countUnfinished() {
      const lines = await connection.run(countUnfinished, undefined);
      return lines
        .map(([state, provider, commands]) => ({ state, provider, commands }))
        .toSorted((a, b) => (`${a.state} ${a.provider}` < `${b.state} ${b.provider}` ? -1 : 1));
    },

    async totals() {
      const lines = await connection.run(readTotals, undefined);
      return lines.map(toTotals).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    },

    async rotate(keep) {
      let gone = 0;
      for (let passed = 0; ;) {
        const round = await connection.run(rotate, { keep, passed, atOnce: ROTATE_AT_ONCE });
        gone += round[0];
        passed += round[1];
        if (round[2] === 0) return gone;
      }
    },
  };
}

type Stored = readonly (readonly [id: string, record: string])[];

/** The first readable records, as many as asked for if there are: each unreadable one is replaced by a later one. */
async function firstReadable(
  limit: number,
  ask: (limit: number) => Promise<Stored>,
): Promise<readonly CommandRecord[]> {
  for (let asked = limit; ;) {
    const stored = await ask(asked);
    const found = readable(stored, ignore);
    if (found.length >= limit || stored.length < asked) return found.slice(0, limit);
    asked += stored.length - found.length;
  }
}

/** A damaged record must not prevent reading the others. */
function readable(
  stored: Stored,
  onUnreadable: (id: string, cause: unknown) => void,
): readonly CommandRecord[] {
  return stored.flatMap(([id, text]) => {
    try {
      return [CommandRecord.parse(JSON.parse(text))];
    } catch (cause) {
      onUnreadable(id, cause);
      return [];
    }
  });
}

function ignore(): void {
  // Reported by the process that takes over unfinished commands.
}

function toTotals([[provider, tool, outcome], [commands, durationMs, waitedMs]]: readonly [
  readonly [HistoryTotals['provider'], string, HistoryTotals['outcome']],
  readonly [number, number, number],
]): HistoryTotals {
  return { provider, tool, outcome, commands, durationMs, waitedMs };
}

/** Joined with NUL, which no name contains. */
function nameOf({ provider, tool, outcome }: HistoryTotals): string {
  return `${provider}\0${tool}\0${outcome}`;
}
