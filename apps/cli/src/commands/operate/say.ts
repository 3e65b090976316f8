import type { SessionView } from '@signalbox/api';
import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { as, line } from '../../terminal/line.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';

/** `signalbox say openai "Leave the tests alone"`: read by the model of that session at its next turn. */
export const say = defineSubcommand({
  name: 'say',
  args: z.object({
    session: z.string(),
    message: z.string(),
    now: z.boolean().default(false),
  }),
  async run({ session: typed, message, now: interrupts }, context) {
    const text = (message === '-' ? await context.readStdin() : message).trim();
    if (text === '') throw new UsageError('invalid-arguments', 'Cannot say nothing: the message is empty');
    const sessions = await withCoordinator(
      context,
      { what: 'say something to a session', start: false },
      async (client) => {
        const { sessions: all } = await client.listSessions();
        const meant = sessionsMeantBy(
          typed,
          all.filter(({ state }) => state === 'running'),
        );
        for (const { id } of meant) await client.sayToSession({ id, text, interrupts });
        return meant;
      },
    );
    context.json({ sessions: sessions.map(({ id }) => id), interrupts });
    const when = interrupts ? 'stops what it does, and reads it now' : 'reads it at its next turn';
    context.say(sessions.map(({ provider, id }) => line(as('ok', '✓'), ` ${provider} (${id}) ${when}`)));
    return EXIT.ok;
  },
});

/**
 * The running sessions that a user means: all of them by `@all`, one by its provider or a unique beginning of its id.
 *
 * @throws {UsageError} `unknown-id` or `ambiguous-id`, which lists the candidates
 */
export function sessionsMeantBy(
  typed: string,
  running: readonly SessionView[],
): readonly Pick<SessionView, 'id' | 'provider'>[] {
  const begun = typed.startsWith('ses_') ? typed : `ses_${typed}`;
  const meant =
    typed === '@all'
      ? running
      : running.filter(({ id, provider }) => provider === typed || id.startsWith(begun));
  if (meant.length === 1 || (meant.length > 1 && typed === '@all')) return meant;
  const names = (of: readonly SessionView[]): string[] => of.map(({ id, provider }) => `${id}  ${provider}`);
  if (meant.length > 1) {
    throw new UsageError(
      'ambiguous-id',
      `Cannot tell which session "${typed}" is: ${meant.length} running ones are meant`,
      { why: names(meant), next: ['@all means each of them'] },
    );
  }
  throw new UsageError('unknown-id', `Cannot find a running session "${typed}"`, {
    why: running.length === 0 ? ['no session runs here'] : ['these run:', ...names(running)],
  });
}
