import type { CommandRecord } from '@signalbox/core';
import type { Reader } from '../client/readers/reader.ts';
import type { Argument } from '../commands/table/subcommand-row.ts';
import { takenBack } from '../commands/operate/commands-to-undo.ts';

/** Longer lists are not read. */
const MAX_OFFERED = 30;

/** Commands that an argument can name now, newest first. */
export async function offeredCommands(
  commands: NonNullable<Argument['commands']>,
  reader: Reader,
): Promise<readonly CommandRecord[]> {
  switch (commands) {
    case 'asking':
      return reader.commands.list({ states: ['awaiting_approval'], limit: MAX_OFFERED });
    case 'unfinished':
      return newestFirst(await reader.commands.unfinished()).slice(0, MAX_OFFERED);
    case 'holding':
      return reader.commands.list({ states: ['running'], limit: MAX_OFFERED });
    case 'undoable':
      return withChanges(reader, true);
    case 'changing':
      return withChanges(reader, false);
    case 'any':
      return reader.commands.list({ limit: MAX_OFFERED });
  }
}

/** Enough to find some that changed files among those that only read. */
const MAX_CHECKED = 200;

async function withChanges(reader: Reader, isToUndo: boolean): Promise<readonly CommandRecord[]> {
  const all = await reader.commands.list({ limit: MAX_CHECKED });
  const gone = isToUndo ? takenBack(all) : new Set();
  const likely = all.filter(({ id, result }) => !gone.has(id) && (result?.files.length ?? 0) > 0);
  const kept = await Promise.all(
    likely
      .slice(0, MAX_OFFERED)
      .map(async (record) => ({ record, changes: await reader.changesOf(record.id) })),
  );
  return kept.flatMap(({ record, changes }) => (changes === null || changes.length === 0 ? [] : [record]));
}

function newestFirst(records: readonly CommandRecord[]): readonly CommandRecord[] {
  return records.toSorted((one, other) => other.submittedAt - one.submittedAt);
}
