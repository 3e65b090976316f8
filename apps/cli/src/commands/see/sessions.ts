import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { as, line } from '../../terminal/line.ts';
import { sessionsView } from '../../views/sessions-view.ts';
import { sessionsMeantBy } from '../operate/say.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { exportConversation } from './export-conversation.ts';
import { showSession } from './show-session.ts';

/** `signalbox sessions`: lists, shows, stops and exports sessions. */
export const sessions = defineSubcommand({
  name: 'sessions',
  args: z.object({
    action: z.enum(['list', 'show', 'stop', 'export']).default('list'),
    session: z.string().optional(),
    format: z.enum(['jsonl', 'markdown']).optional(),
    output: z.string().min(1).optional(),
  }),
  async run({ action, session, format, output }, context) {
    if (action !== 'export' && (format !== undefined || output !== undefined)) {
      throw new UsageError(
        'invalid-arguments',
        `Cannot ${action} with --format or --output: they belong to export`,
      );
    }
    if (action === 'list') {
      if (session === undefined) return list(context);
      throw new UsageError('unexpected-argument', `Cannot list "${session}": list takes no id`, {
        next: [`signalbox sessions show ${session}`],
      });
    }
    if (session === undefined) {
      throw new UsageError('invalid-arguments', `Cannot ${action} a session: its id is missing`, {
        next: ['signalbox sessions   lists them'],
      });
    }
    if (action === 'stop') return stop(session, context);
    if (action === 'export') return exportConversation(session, { format, output }, context);
    await showSession(session, context);
    return EXIT.ok;
  },
});

async function list(context: Context): Promise<ExitCode> {
  const purpose = { what: 'list sessions', start: true };
  const { sessions: all } = await withCoordinator(context, purpose, (client) => client.listSessions());
  context.answer({ json: () => ({ sessions: all }), lines: (render) => sessionsView(all, render) });
  return EXIT.ok;
}

async function stop(typed: string, context: Context): Promise<ExitCode> {
  const purpose = { what: 'stop a session', start: false };
  const stopped = await withCoordinator(context, purpose, async (client) => {
    const { sessions: all } = await client.listSessions();
    const meant = sessionsMeantBy(
      typed,
      all.filter(({ state }) => state === 'running'),
    );
    for (const { id } of meant) await client.stopSession({ id });
    return meant;
  });
  context.json({ sessions: stopped.map(({ id }) => id) });
  context.say(stopped.map(({ provider, id }) => line(as('ok', '✓'), ` ${provider} (${id}) stops`)));
  return EXIT.ok;
}
