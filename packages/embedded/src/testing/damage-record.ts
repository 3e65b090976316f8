import { DatabaseSync } from 'node:sqlite';
import type { CommandId } from '@signalbox/core';

/** Leaves of the stored record of a command what nobody can read. */
export function damageRecord(file: string, id: CommandId): void {
  const database = new DatabaseSync(file);
  database.prepare(`UPDATE commands SET record = '{"id":' WHERE id = ?`).run(id);
  database.close();
}
