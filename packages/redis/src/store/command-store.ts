import {
  CommandId,
  CommandRecord,
  type CommandStore,
  type EventId,
  type HistoryTotals,
  RevisionError,
} from '@signalbox/core';
import type { Connection } from '../connection/connection.ts';
import type { RedisEventLog } from '../events/event-log.ts';
import { commit, countUnfinished, list, readTotals, rotate, unfinished } from './command-scripts.ts';

const MAX_FOUND = 20;

/** So many are looked at by one script, which keeps everybody else waiting. */
const ROTATE_AT_ONCE = 500;

/** @param onStored hears each record that this process has stored, with the id of its last event */
export function createCommandStore(
  connection: Connection,
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
        throw new RevisionError(`Cannot store "${record.id}": somebody else changed it`, {
          why: [`it has revision ${reply[1]}, and ${record.revision} was to be stored`],
        });
      const [, ...ids] = reply;
      log.stored(ids);
      onStored(record, ids.at(-1) ?? null);
    },

    async get(id) {
      const text = await connection.ask((redis) => redis.hget(`${prefix}command:${id}`, 'record'));
      return text === null ? null : CommandRecord.parse(JSON.parse(text));
    },

    async find(idPrefix) {
      const first = `[cmd_${idPrefix}`;
      const found = await connection.ask((redis) =>
        redis.zrangebylex(`${prefix}commands:ids`, first, `${first}\u{10ffff}`, 'LIMIT', 0, MAX_FOUND),
      );
      return found.map((id) => CommandId.parse(id));
    },

    list: (filter) => connection.run(list, filter),

    unfinished: (of = {}) => connection.run(unfinished, of),

    async eachUnfinished(take) {
      for (const record of await connection.run(unfinished, {})) if (!(await take(record))) return;
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

function toTotals([[provider, tool, outcome], [commands, durationMs, waitedMs]]: readonly [
  readonly [HistoryTotals['provider'], string, HistoryTotals['outcome']],
  readonly [number, number, number],
]): HistoryTotals {
  return { provider, tool, outcome, commands, durationMs, waitedMs };
}

/** No name holds a NUL. */
function nameOf({ provider, tool, outcome }: HistoryTotals): string {
  return `${provider}\0${tool}\0${outcome}`;
}
