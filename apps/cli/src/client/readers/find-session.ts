import { type CommandStore, SessionId, UsageError } from '@signalbox/core';

/** Searches the sessions of this many of the newest commands. */
const MAX_COMMANDS = 1000;

/**
 * The session that a user's id means: any unique prefix, with or without `ses_`, or `@last`, the session of the newest
 * command.
 *
 * @throws {UsageError} `unknown-id` or `ambiguous-id`, which lists the candidates
 */
export async function findSession(commands: Pick<CommandStore, 'list'>, typed: string): Promise<SessionId> {
  const whole = SessionId.safeParse(typed.startsWith('ses_') ? typed : `ses_${typed}`);
  if (whole.success) return whole.data;
  const isLast = typed === '@last';
  const records = await commands.list({ limit: isLast ? 1 : MAX_COMMANDS });
  const known = [...new Set(records.map(({ context }) => context.sessionId))];
  const begun = typed.startsWith('ses_') ? typed : `ses_${typed}`;
  const [first, ...others] = isLast ? known : known.filter((id) => id.startsWith(begun));
  if (first !== undefined && others.length === 0) return first;
  const next = ['signalbox status @last   names the session of the newest command'];
  if (first === undefined) throw new UsageError('unknown-id', `Cannot find session "${typed}"`, { next });
  throw new UsageError(
    'ambiguous-id',
    `Cannot tell which session "${typed}" is: ${others.length + 1} begin with it`,
    { why: [first, ...others], next },
  );
}
