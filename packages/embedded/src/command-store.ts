import { setImmediate } from 'node:timers/promises';
import {
  CommandId,
  CommandRecord,
  CommandState,
  type CommandStore,
  type HistoryRetention,
  type HistoryTotals,
  Outcome,
  ProviderId,
  RevisionError,
} from '@signalbox/core';
import { commandQuery } from './command-query.ts';
import type { Database, Row, Statement } from './database.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { numberOf, textOf } from './row.ts';

const MAX_FOUND = 20;
/** Bound on distinct (provider, tool, outcome) combinations. */
const MAX_TOTALS = 1000;
/** Records read before yielding to the event loop. */
const UNFINISHED_AT_ONCE = 200;

export function createCommandStore(database: Database, events: EmbeddedEventLog): CommandStore {
  const selectRevision = database.prepare('SELECT revision, state FROM commands WHERE id = ?');
  const insert = database.prepare(`
    INSERT INTO commands (revision, state, provider, session_id, tool, submitted_at, ended_at, outcome,
      duration_ms, waited_ms, record, id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  // The other columns never change, and setting them would rewrite their index.
  const update = database.prepare(`
    UPDATE commands SET revision = ?, state = ?, ended_at = ?, outcome = ?, duration_ms = ?, waited_ms = ?, record = ?
    WHERE id = ?`);
  const selectOne = database.prepare('SELECT id, record FROM commands WHERE id = ?');
  const selectByPrefix = database.prepare(
    'SELECT id FROM commands WHERE id >= ? AND id < ? ORDER BY id LIMIT ?',
  );
  const selectUnfinished = database.prepare(
    `SELECT arrival, id, record FROM commands
    WHERE state <> 'done' AND arrival > ? AND (? IS NULL OR state IN (SELECT value FROM json_each(?)))
    ORDER BY arrival LIMIT ?`,
  );
  const countUnfinished = database.prepare(
    `SELECT state, provider, count(*) AS commands FROM commands WHERE state <> 'done'
    GROUP BY state, provider ORDER BY state, provider`,
  );
  const selectTotals = database.prepare('SELECT * FROM totals ORDER BY provider, tool, outcome');
  const addToTotals = database.prepare(`
    INSERT INTO totals (provider, tool, outcome, commands, duration_ms, waited_ms) VALUES (?, ?, ?, 1, ?, ?)
    ON CONFLICT DO UPDATE SET commands = commands + 1,
      duration_ms = duration_ms + excluded.duration_ms, waited_ms = waited_ms + excluded.waited_ms`);
  const hasTotals = database.prepare(
    'SELECT 1 AS known FROM totals WHERE provider = ? AND tool = ? AND outcome = ?',
  );
  const countTotals = database.prepare('SELECT count(*) AS lines FROM totals');
  const rotation = prepareRotation(database);

  /** Invented names must not fill the table: new combinations beyond the bound are counted under one name. */
  function boundedNames(
    provider: string,
    { tool, outcome }: Readonly<{ tool: string; outcome: string }>,
  ): readonly [string, string] {
    if (hasTotals.get(provider, tool, outcome) !== undefined) return [provider, tool];
    const row = countTotals.get();
    return row !== undefined && numberOf(row, 'lines') >= MAX_TOTALS ? ['other', 'other'] : [provider, tool];
  }

  return {
    async commit(record, newEvents) {
      const stored = database.transaction(() => {
        const row = selectRevision.get(record.id);
        const revision = row === undefined ? 0 : numberOf(row, 'revision');
        if (record.revision !== revision + 1)
          throw new RevisionError(`Cannot store "${record.id}": another process changed it`, {
            why: [`it has revision ${revision}, and ${record.revision} was to be stored`],
          });
        const { result, context, call } = record;
        const now = [record.revision, record.state] as const;
        const ended = [
          record.endedAt,
          result?.outcome.kind ?? null,
          result?.durationMs ?? null,
          result?.waitedMs ?? null,
          JSON.stringify(record),
          record.id,
        ] as const;
        if (revision > 0) update.run(...now, ...ended);
        else insert.run(...now, context.provider, context.sessionId, call.tool, record.submittedAt, ...ended);
        if (
          record.state === 'done' &&
          result !== null &&
          (row === undefined || textOf(row, 'state') !== 'done')
        )
          addToTotals.run(
            ...boundedNames(context.provider, { tool: call.tool, outcome: result.outcome.kind }),
            result.outcome.kind,
            result.durationMs,
            result.waitedMs,
          );
        return events.insert(newEvents);
      });
      events.publish(stored);
    },

    async get(id) {
      const row = selectOne.get(id);
      return row === undefined ? null : recordIn(row, ignore);
    },

    async find(prefix) {
      const start = `cmd_${prefix}`;
      return selectByPrefix
        .all(start, `${start}\u{10ffff}`, MAX_FOUND)
        .map((row) => textOf(row, 'id') as CommandId);
    },

    async list(filter) {
      const { limit = 100 } = filter;
      for (let asked = limit; ;) {
        const { sql, values } = commandQuery({ ...filter, limit: asked });
        const rows = database.prepare(sql).all(...values);
        const found = rows.flatMap((row) => recordIn(row, ignore) ?? []);
        if (found.length >= limit || rows.length < asked) return found.slice(0, limit);
        asked += rows.length - found.length;
      }
    },

    async unfinished({ states, limit = Number.POSITIVE_INFINITY } = {}) {
      const wanted = states === undefined ? null : JSON.stringify(states);
      const found: CommandRecord[] = [];
      for (let after = 0; ;) {
        const size = Math.min(UNFINISHED_AT_ONCE, limit - found.length);
        const rows = selectUnfinished.all(after, wanted, wanted, size);
        found.push(...rows.flatMap((row) => recordIn(row, ignore) ?? []));
        const last = rows.at(-1);
        if (last === undefined || rows.length < size || found.length >= limit) return found;
        after = numberOf(last, 'arrival');
        // Tens of thousands of records take seconds: yield so that other requests are answered.
        await setImmediate();
      }
    },

    async eachUnfinished(take, onUnreadable) {
      for (let after = 0; ;) {
        const rows = selectUnfinished.all(after, null, null, UNFINISHED_AT_ONCE);
        for (const row of rows) {
          const record = recordIn(row, onUnreadable);
          if (record !== null && !(await take(record))) return;
        }
        const last = rows.at(-1);
        if (last === undefined) return;
        after = numberOf(last, 'arrival');
        await setImmediate();
      }
    },

    async countUnfinished() {
      return countUnfinished.all().map((row) => ({
        state: CommandState.parse(textOf(row, 'state')),
        provider: ProviderId.parse(textOf(row, 'provider')),
        commands: numberOf(row, 'commands'),
      }));
    },

    async totals() {
      return selectTotals.all().map(toTotals);
    },

    async rotate(keep) {
      let gone = 0;
      for (let passed = 0; ;) {
        const round = database.transaction(() => rotation(keep, passed));
        gone += round.gone;
        passed += round.passed;
        if (round.isOver) return gone;
        // Yields to other work between two rounds.
        await setImmediate();
      }
    },
  };
}

/** Records examined per transaction; a transaction blocks everything else. */
const ROTATE_AT_ONCE = 500;

type Round = {
  readonly gone: number;
  /** Number of examined records that stay. */
  readonly passed: number;
  readonly isOver: boolean;
};

/** Examines the next commands in the order they ended, skipping the `passed` first ones. */
function prepareRotation(database: Database): (keep: HistoryRetention, passed: number) => Round {
  const count = database.prepare(`SELECT count(*) AS ended FROM commands WHERE state = 'done'`);
  const fileSize = database.prepare(`
    SELECT (page_count - freelist_count) * page_size AS bytes
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size`);
  const size = database.prepare(
    `SELECT coalesce(sum(octet_length(record)), 0) AS bytes FROM commands WHERE state = 'done'`,
  );
  const next = database.prepare(`
    SELECT arrival, session_id, ended_at, octet_length(record) AS bytes FROM commands WHERE state = 'done'
    ORDER BY ended_at, arrival LIMIT ? OFFSET ?`);
  const remove = database.prepare('DELETE FROM commands WHERE arrival = ?');

  const numberIn = (statement: Statement, name: string): number => {
    const row = statement.get();
    return row === undefined ? 0 : numberOf(row, name);
  };

  return ({ atLeast, since, maxBytes, spared = [] }, passed) => {
    const surplus = numberIn(count, 'ended') - atLeast - passed;
    if (surplus <= 0) return { gone: 0, passed: 0, isOver: true };
    // Adding up all records is slow, and a file within the limit can't hold more than it.
    let bytes = numberIn(fileSize, 'bytes') <= maxBytes ? 0 : numberIn(size, 'bytes');
    const sparedSessions = new Set<string>(spared);
    let gone = 0;
    let skipped = 0;
    for (const row of next.all(Math.min(surplus, ROTATE_AT_ONCE), passed)) {
      if (numberOf(row, 'ended_at') >= since && bytes <= maxBytes)
        return { gone, passed: skipped, isOver: true };
      if (sparedSessions.has(textOf(row, 'session_id'))) {
        skipped += 1;
        continue;
      }
      remove.run(numberOf(row, 'arrival'));
      bytes -= numberOf(row, 'bytes');
      gone += 1;
    }
    return { gone, passed: skipped, isOver: surplus <= ROTATE_AT_ONCE };
  };
}

function toRecord(row: Row): CommandRecord {
  return CommandRecord.parse(JSON.parse(textOf(row, 'record')));
}

/** A damaged record must not prevent reading the others. */
function recordIn(row: Row, onUnreadable: (id: string, cause: unknown) => void): CommandRecord | null {
  try {
    return toRecord(row);
  } catch (cause) {
    onUnreadable(textOf(row, 'id'), cause);
    return null;
  }
}

function ignore(): void {
  // Reported when a coordinator starts.
}

function toTotals(row: Row): HistoryTotals {
  return {
    provider: ProviderId.parse(textOf(row, 'provider')),
    tool: textOf(row, 'tool'),
    outcome: textOf(row, 'outcome') as Outcome['kind'],
    commands: numberOf(row, 'commands'),
    durationMs: numberOf(row, 'duration_ms'),
    waitedMs: numberOf(row, 'waited_ms'),
  };
}
