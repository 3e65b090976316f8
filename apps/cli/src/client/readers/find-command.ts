import {
  type CommandFilter,
  type CommandRecord,
  type CommandStore,
  type ForgottenCommand,
  shortId,
  UsageError,
} from '@signalbox/core';
import { statusIconOf } from '../../terminal/icon.ts';
import type { Reader } from './reader.ts';
import { YOU } from '../you.ts';

const SHORTEST_PREFIX = 3;
const NONE_YET = 'there are no commands yet';
/** How many records `@last` and `@mine` search; behind that many undos that did nothing, the newest is meant. */
const MAX_RECORDS = 20;

/** Words that are accepted as the id of a command. */
export const ID_WORDS: Readonly<
  Record<string, Readonly<{ means: string; filter: CommandFilter; isNone: string }>>
> = {
  '@last': { means: 'the newest command', filter: {}, isNone: NONE_YET },
  '@mine': {
    means: 'your newest command',
    filter: { provider: YOU },
    isNone: 'you have run nothing with signalbox exec',
  },
  '@approval': {
    means: 'the only pending approval',
    filter: { states: ['awaiting_approval'] },
    isNone: 'no approval is pending',
  },
};

/**
 * The command that a user's id means: any unique prefix of at least 3 letters, with or without `cmd_`, or `@last` (the
 * newest), `@mine` (the user's newest) or `@approval` (the only pending one). A refused undo is neither of the first
 * two.
 *
 * @throws {UsageError} `unknown-id`, `forgotten-id` if only the audit log has it, or `ambiguous-id`, which lists the
 * candidates
 */
export async function findCommand(
  commands: Pick<Reader['commands'], 'list' | 'find' | 'get' | 'forgotten'>,
  typed: string,
): Promise<CommandRecord> {
  if (typed.startsWith('@')) return meantByWord(typed, commands);
  const prefix = typed.replace(/^cmd_/, '');
  if (prefix.length < SHORTEST_PREFIX) {
    throw new UsageError(
      'unknown-id',
      `Cannot find command "${typed}": give at least ${SHORTEST_PREFIX} characters of its id`,
      { next: ['signalbox commands'] },
    );
  }
  const ids = await commands.find(prefix);
  const records = await Promise.all(ids.map((id) => commands.get(id)));
  const [first, ...others] = records.filter((record) => record !== null);
  if (first === undefined) {
    const [unread, ...more] = ids;
    if (unread !== undefined && more.length === 0) throw unreadable(unread);
    const [gone, ...rest] = await commands.forgotten(prefix);
    if (gone !== undefined && rest.length === 0) throw forgotten(gone);
    if (gone === undefined && (await commands.list({ limit: 1 })).length === 0) throw noneYet(typed);
    throw new UsageError('unknown-id', `Cannot find command "${typed}"`, {
      why:
        gone === undefined
          ? []
          : [
              `the history has dropped ${rest.length + 1} commands whose ids begin with this: ${[gone, ...rest].map(({ id }) => id).join(', ')}`,
            ],
      next: ['signalbox commands --all'],
    });
  }
  if (others.length === 0) return first;
  throw ambiguous(typed, 'begin with it', { records: [first, ...others] });
}

/** No next step: `commands --all` would be empty, too. */
function noneYet(typed: string): UsageError {
  return new UsageError('unknown-id', `Cannot find command "${typed}": ${NONE_YET}`);
}

/** The server's message for it, for when no coordinator runs. */
function unreadable(id: string): UsageError {
  return new UsageError('unknown-id', `Cannot show ${id}: its stored record cannot be read`, {
    why: [
      'the file is damaged or was written by another version of Signalbox; the audit log still has its line',
    ],
    next: [`signalbox audit --filter ${id}`],
  });
}

/** It existed, but only its line of the audit log is left: nothing to show or undo. */
function forgotten({ id, why }: ForgottenCommand): UsageError {
  return new UsageError('forgotten-id', `Cannot show or undo ${id}: the history has dropped it`, {
    why,
    next: [`signalbox audit --filter ${id}`, 'signalbox config set execution.history_max_age 30d'],
  });
}

async function meantByWord(word: string, commands: Pick<CommandStore, 'list'>): Promise<CommandRecord> {
  const known = ID_WORDS[word];
  if (known === undefined) {
    throw new UsageError('unknown-id', `Cannot find command "${word}": no such alias`, {
      why: [`aliases: ${Object.keys(ID_WORDS).join(', ')}`],
      next: ['signalbox commands'],
    });
  }
  const found = await commands.list({ ...known.filter, limit: MAX_RECORDS });
  const [first, ...others] = word === '@approval' ? found : newestThatCounts(found);
  if (first === undefined) {
    if (known.isNone === NONE_YET) throw noneYet(word);
    throw new UsageError('unknown-id', `Cannot find command "${word}": ${known.isNone}`, {
      next: ['signalbox commands --all'],
    });
  }
  if (others.length === 0) return first;
  throw ambiguous(word, 'approvals are pending', { records: [first, ...others] });
}

/** A refused undo changed nothing: retrying means the command it was for. */
function newestThatCounts(records: readonly CommandRecord[]): readonly CommandRecord[] {
  const meant =
    records.find(
      ({ call, result }) => call.tool !== 'undo' || result === null || result.outcome.kind === 'completed',
    ) ?? records[0];
  return meant === undefined ? [] : [meant];
}

function ambiguous(
  typed: string,
  what: string,
  { records }: Readonly<{ records: readonly CommandRecord[] }>,
): UsageError {
  const message = `Cannot tell which command "${typed}" is: ${records.length} ${what}`;
  return new UsageError('ambiguous-id', message, {
    why: records.map(
      (record) =>
        `${shortId(record.id, 8)}  ${record.context.provider}  ${record.title}  ${statusIconOf(record).word}`,
    ),
    next: [typed.startsWith('@') ? 'give one of these ids' : 'give one more character'],
  });
}
