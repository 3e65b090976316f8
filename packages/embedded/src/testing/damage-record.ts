import { DatabaseSync } from 'node:sqlite';
import type { CommandId } from '@signalbox/core';

/** Makes the stored record of a command unreadable. */
export function damageRecord(file: string, id: CommandId): void {
  const database = new DatabaseSync(file);
  database.prepare(`UPDATE commands SET record = '{"id":' WHERE id = ?`).run(id);
  database.close();
}
