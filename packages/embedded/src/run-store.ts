import {
  type Json,
  type NodeId,
  RevisionError,
  type RunId,
  type RunStore,
  type StoredRun,
} from '@signalbox/core';
import type { Database, Row } from './database.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { textOf } from './row.ts';

export function createRunStore(database: Database, events: EmbeddedEventLog): RunStore {
  const insertRun = database.prepare('INSERT INTO runs (id, owner) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const selectOwned = database.prepare('SELECT id FROM runs WHERE id = ? AND owner IS ?');
  const selectRuns = database.prepare('SELECT id, owner FROM runs ORDER BY id');
  const selectParts = database.prepare('SELECT name, value FROM run_parts WHERE run_id = ?');
  const updateOwner = database.prepare('UPDATE runs SET owner = ? WHERE id = ? AND owner IS ?');
  const upsertPart = database.prepare(
    'INSERT OR REPLACE INTO run_parts (run_id, name, value) VALUES (?, ?, ?)',
  );
  const deleteParts = database.prepare('DELETE FROM run_parts WHERE run_id = ?');
  const deleteRun = database.prepare('DELETE FROM runs WHERE id = ?');

  return {
    async commit({ id, owner, kind, parts }, newEvents) {
      const stored = database.transaction(() => {
        const fits =
          kind === 'begun'
            ? insertRun.run(id, owner).changes === 1
            : selectOwned.get(id, owner) !== undefined;
        if (!fits) throw new RevisionError(`Cannot store run "${id}": another coordinator leads it`);
        if (kind === 'over') {
          deleteParts.run(id);
          deleteRun.run(id);
        } else {
          for (const [name, value] of Object.entries(parts)) upsertPart.run(id, name, JSON.stringify(value));
        }
        return events.insert(newEvents);
      });
      events.publish(stored);
      return stored;
    },

    async unfinished() {
      return selectRuns.all().map((row): StoredRun => {
        const id = textOf(row, 'id');
        const parts = selectParts.all(id).map((part) => [textOf(part, 'name'), valueIn(part)] as const);
        // Of no node if it is damaged; then any coordinator may take the run.
        const owner = row['owner'] === null ? null : (textOf(row, 'owner') as NodeId);
        return { id: id as RunId, owner, parts: Object.fromEntries(parts) };
      });
    },

    async take(id, { from, to }) {
      return updateOwner.run(to, id, from).changes === 1;
    },
  };
}

/** A damaged part must not prevent reading the others. */
function valueIn(row: Row): Json {
  try {
    return JSON.parse(textOf(row, 'value')) as Json;
  } catch {
    return null;
  }
}
