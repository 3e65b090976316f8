import type { CommandStore, SessionId } from '@signalbox/core';
import type { Coordinator } from '../coordinator-api.ts';
import type { ChangedSinceRead } from './changed-since-read.ts';

/** Commands whose writes are known after a restart. */
const MAX_COMMANDS = 1000;

/** What others changed of the files that a session of an earlier process has read. */
export function createEarlierChanges(parts: {
  readonly store: Pick<CommandStore, 'list'>;
  readonly restoreReadHashes: (session: SessionId) => Promise<void>;
  readonly changes: ChangedSinceRead;
  readonly redact: (text: string) => string;
}): Coordinator['changedSinceRead'] {
  const { store, restoreReadHashes, changes, redact } = parts;
  let noted: Promise<void> | undefined;

  /** Otherwise changes by commands of an earlier process would look like those of an editor. */
  async function noteWrites(): Promise<void> {
    const ended = await store.list({ states: ['done'], limit: MAX_COMMANDS });
    for (const record of ended.toReversed())
      changes.note(record, record.result?.files.filter(({ kind }) => kind !== 'read') ?? []);
  }

  return async (caller) => {
    noted ??= noteWrites();
    await noted.catch((error: unknown) => {
      noted = undefined;
      throw error;
    });
    await restoreReadHashes(caller.sessionId);
    return (await changes.notesFor(caller)).map(redact);
  };
}
