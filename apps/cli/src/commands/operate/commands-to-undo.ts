import { outcomeWord } from '@signalbox/api';
import { undoneBy } from '@signalbox/coordinator';
import {
  type CommandId,
  CommandId as CommandIdSchema,
  type CommandRecord,
  UsageError,
} from '@signalbox/core';
import { findCommand } from '../../client/readers/find-command.ts';
import { findSession } from '../../client/readers/find-session.ts';
import type { Reader } from '../../client/readers/reader.ts';
import type { ShownDiff } from '../../runtime/contract/file-diff.ts';
import { withoutGit } from '../../views/command/changes-view.ts';
import { withoutWord } from '../../views/command/without-word.ts';

/** A command, and its kept changes that are not undone yet. */
export type Undoable = Readonly<{
  record: CommandRecord;
  changes: readonly ShownDiff[];
  /** Some of its files were already undone. */
  isRest: boolean;
  /** Paths with hunks already undone: the file can no longer be undone as a whole. */
  inPart: ReadonlySet<string>;
}>;

export type UndoSelection = Readonly<{
  /** As the user typed them. */
  ids: readonly string[];
  /** All of a session, or its newest. */
  session?: string | undefined;
  /** That many of the newest that changed files and were not undone. */
  last?: number | undefined;
}>;

/** Only this many of the newest commands are searched. */
const MAX_COMMANDS = 1000;

/**
 * The commands that the user means, newest first: a newer one may have changed an older one's files.
 *
 * @throws {UsageError} if there are none, or nothing is kept of a named one
 */
export async function commandsToUndo(
  { ids, session, last }: UndoSelection,
  reader: Reader,
): Promise<readonly Undoable[]> {
  if (ids.length > 0 === (session !== undefined || last !== undefined)) {
    throw new UsageError('usage', 'Cannot undo: name commands, or use --session SESSION or --last N', {
      next: ['signalbox undo ID', 'signalbox undo --last 1', 'signalbox undo --session SESSION'],
    });
  }
  const found = ids.length > 0 ? await named(ids, reader) : await newest({ session, last }, reader);
  return found.toSorted((one, other) => (other.record.endedAt ?? 0) - (one.record.endedAt ?? 0));
}

async function named(ids: readonly string[], reader: Reader): Promise<readonly Undoable[]> {
  const commands = await Promise.all(ids.map((id) => findCommand(reader.commands, id)));
  const leftOf = restAfterUndos(await reader.commands.list({ limit: MAX_COMMANDS }));
  const once = [...new Map(commands.map((record) => [record.id, record])).values()];
  return Promise.all(
    once.map(async (record) => {
      const changes = await reader.changesOf(record.id);
      if (changes === null) throw await nothingKept(record, reader);
      const undoable = leftOf({ record, changes });
      if (undoable.isRest && withoutGit(undoable.changes).length === 0) throw undoneAlready(record);
      return undoable;
    }),
  );
}

/** The changes of a command that undos have left. */
function restAfterUndos(
  all: readonly CommandRecord[],
): (of: Readonly<{ record: CommandRecord; changes: readonly ShownDiff[] }>) => Undoable {
  const undone = undoneBy(all);
  return ({ record, changes }) => {
    const rest = changes.filter((change) => undone(record.id, change) !== 'all');
    const inPart = rest.filter((change) => undone(record.id, change) === 'part').map(({ path }) => path);
    return { record, changes: rest, isRest: rest.length < changes.length, inPart: new Set(inPart) };
  };
}

function undoneAlready({ id }: CommandRecord): UsageError {
  return new UsageError('nothing-to-undo', `Cannot undo ${id}: it is already undone`, {
    next: [`signalbox diff ${id}`],
  });
}

async function nothingKept(record: CommandRecord, reader: Reader): Promise<UsageError> {
  const { id, result, startedAt } = record;
  if (startedAt === null) {
    const why = result === null ? record.state.replaceAll('_', ' ') : endingText(result);
    return new UsageError(
      'nothing-to-undo',
      `Cannot undo ${id}: it ${result === null ? 'has not run yet' : 'never ran'}`,
      {
        why: [why],
        next: [`signalbox status ${id}`],
      },
    );
  }
  const stuck = (await reader.queue(1)).stuck.find(({ command }) => command === id);
  if (stuck !== undefined) {
    return new UsageError('half-way', `Cannot undo ${id}: it is partly applied, and is being rolled back`, {
      why: [stuck.why],
      next: [
        'Fix what is named above; the rollback is retried every minute and at the next start',
        'signalbox queue',
      ],
    });
  }
  return new UsageError('nothing-to-undo', `Cannot undo ${id}: no undo copy exists`, {
    why: [
      'it changed no files, did not run as a transaction, or its copies were dropped (execution.history_max_age, execution.history_max_mb)',
    ],
    next: [`signalbox status ${id}`],
  });
}

/** `denied: "no" by ada`: how it ended without running. */
function endingText({ outcome, failure }: NonNullable<CommandRecord['result']>): string {
  const word = outcomeWord(outcome.kind, failure?.code ?? null).toLowerCase();
  return failure === null ? word : `${word}: ${withoutWord(word, failure.message)}`;
}

async function newest(
  { session, last = MAX_COMMANDS }: Pick<UndoSelection, 'session' | 'last'>,
  reader: Reader,
): Promise<readonly Undoable[]> {
  const all = await reader.commands.list({ limit: MAX_COMMANDS });
  const sessionId = session === undefined ? null : await findSession(reader.commands, session);
  const gone = takenBack(all);
  const leftOf = restAfterUndos(all);
  const found: Undoable[] = [];
  for (const record of all) {
    if (found.length >= last) break;
    const isMeant = sessionId === null ? record.call.tool !== 'undo' : record.context.sessionId === sessionId;
    if (!isMeant || gone.has(record.id)) continue;
    const changes = await reader.changesOf(record.id);
    if (changes === null || changes.length === 0) continue;
    const undoable = leftOf({ record, changes });
    if (!undoable.isRest || withoutGit(undoable.changes).length > 0) found.push(undoable);
  }
  if (found.length > 0) return found;
  throw new UsageError('nothing-to-undo', 'Cannot undo: nothing is left to undo', {
    why: ['those commands changed no files, are already undone, or are too old to be found'],
    next: ['signalbox diff --stat   shows what is kept'],
  });
}

/** Commands reverted by an undo that was not itself undone. Newest first. */
export function takenBack(all: readonly CommandRecord[]): ReadonlySet<CommandId> {
  const gone = new Set<CommandId>();
  for (const { id, call, result } of all) {
    const isWhole = call.tool === 'undo' && call.args['part'] !== true;
    if (!isWhole || gone.has(id) || result?.outcome.kind !== 'completed') continue;
    const undone = CommandIdSchema.safeParse(call.args['command']);
    if (undone.success) gone.add(undone.data);
  }
  return gone;
}
