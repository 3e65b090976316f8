import { type CommandStore, createReadings, type Readings, type SessionId } from '@signalbox/core';

/** What a session had read before a restart, from the files that its kept commands touched; texts are gone. */
export async function restoreReadings(store: CommandStore, sessionId: SessionId): Promise<Readings> {
  const readings = createReadings();
  const records = await store.list({ sessionId, states: ['done'], limit: 1000 });
  for (const { result } of records.toReversed()) {
    // Of a program it is what the program wrote, which its session has not seen.
    if ((result?.isolation ?? null) !== null) continue;
    for (const { path, hash } of result?.files ?? []) readings.note(path, { hash, text: null });
  }
  return readings;
}
