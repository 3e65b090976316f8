import { type CommandId, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { findCommand } from '../../client/readers/find-command.ts';
import { findSession } from '../../client/readers/find-session.ts';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { as, line, muted } from '../../terminal/line.ts';

/**
 * `signalbox cancel k7f3`: a waiting command leaves the queue, a running one is stopped; `--now`: killed, without a
 * grace period.
 */
export const cancel = defineSubcommand({
  name: 'cancel',
  args: z.object({
    id: z.array(z.string()).default([]),
    all: z.boolean().default(false),
    session: z.string().optional(),
    message: z.string().default('no reason given'),
    now: z.boolean().default(false),
  }),
  async run({ id: typed, all, session, message, now }, context) {
    if ([typed.length > 0, all, session !== undefined].filter(Boolean).length !== 1) {
      throw new UsageError('usage', 'Cannot cancel: name commands, or use --session or --all', {
        next: ['signalbox commands'],
      });
    }
    const ended: Record<'cancelled' | 'stopping' | 'done', CommandId[]> = {
      cancelled: [],
      stopping: [],
      done: [],
    };
    await withCoordinator(context, { what: 'cancel', start: false }, async (client, { commands }) => {
      const wanted = session === undefined ? undefined : await findSession(commands, session);
      const records =
        typed.length > 0
          ? await Promise.all(typed.map((one) => findCommand(commands, one)))
          : (await commands.unfinished()).filter(({ context: { sessionId } }) => all || sessionId === wanted);
      const render = context.render();
      for (const record of records) {
        const stopMode = now ? 'now' : 'gently';
        const { kind } = await client.cancelCommand({ id: record.id, reason: message, haste: stopMode });
        ended[kind === 'cancelled' || kind === 'stopping' ? kind : 'done'].push(record.id);
        const stopping = now ? 'its process is killed' : 'its process is being stopped';
        const words = { cancelled: 'cancelled', stopping } as const;
        const word = kind === 'cancelled' || kind === 'stopping' ? words[kind] : 'had already finished';
        context.print([
          line(
            as(kind === 'already-done' ? 'muted' : 'ok', '○'),
            ` ${idLabel(record.id, render)} `,
            muted(record.context.provider),
            ` ${record.title}: ${word}`,
          ),
        ]);
      }
    });
    context.json(ended);
    return typed.length > 0 && ended.done.length > 0 ? EXIT.conflict : EXIT.ok;
  },
});
