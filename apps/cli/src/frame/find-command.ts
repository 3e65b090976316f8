import { type CommandRecord, type CommandStore, shortId, UsageError } from '@signalbox/core';

const SHORTEST_PREFIX = 3;

/**
 * The command that an id of a person means: any unique beginning of at least 3 letters, with or without
 * `cmd_`, or `@last` (the newest) or `@approval` (the only one that waits for a person).
 *
 * @throws {UsageError} `unknown-id` or `ambiguous-id`, which lists whom it could mean.
 */
export async function findCommand(
  commands: Pick<CommandStore, 'list' | 'find' | 'get'>,
  typed: string,
): Promise<CommandRecord> {
  if (typed === '@last') return only(await commands.list({ limit: 1 }), typed);
  if (typed === '@approval')
    return only(await commands.list({ states: ['awaiting_approval'], limit: 20 }), typed);
  const prefix = typed.replace(/^cmd_/, '');
  if (prefix.length < SHORTEST_PREFIX) {
    throw new UsageError(
      'unknown-id',
      `Cannot find command "${typed}": give at least ${SHORTEST_PREFIX} letters of its id`,
      {
        next: ['signalbox commands'],
      },
    );
  }
  const ids = await commands.find(prefix);
  const records = await Promise.all(ids.map((id) => commands.get(id)));
  return only(
    records.filter((record) => record !== null),
    typed,
  );
}

function only(records: readonly CommandRecord[], typed: string): CommandRecord {
  const [first, second] = records;
  if (first === undefined) {
    throw new UsageError('unknown-id', `Cannot find command "${typed}"`, {
      next: ['signalbox commands --all'],
    });
  }
  if (second === undefined) return first;
  throw new UsageError(
    'ambiguous-id',
    `Cannot tell which command "${typed}" is: ${records.length} begin with it`,
    {
      why: records.map(
        ({ id, context, title, state }) => `${shortId(id, 8)}  ${context.provider}  ${title}  ${state}`,
      ),
      next: ['give one letter more'],
    },
  );
}
