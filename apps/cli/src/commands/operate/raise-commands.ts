import { type CommandId, UsageError } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { findCommand } from '../../client/readers/find-command.ts';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { as, line, muted } from '../../terminal/line.ts';

/** Before all commands with default priority. */
const FIRST = 0;

/** `signalbox queue raise k7f3`: waiting commands get the next free slot, or another priority. */
export async function raise(
  typed: readonly string[],
  { priority = FIRST }: { readonly priority?: number | undefined },
  context: Context,
): Promise<ExitCode> {
  if (typed.length === 0)
    throw new UsageError('usage', 'Cannot raise: give ids of waiting commands', {
      next: ['signalbox queue'],
    });
  const raised: Record<'prioritized' | 'not-waiting', CommandId[]> = { prioritized: [], 'not-waiting': [] };
  await withCoordinator(context, { what: 'raise', start: false }, async (client, { commands }) => {
    const render = context.render();
    for (const one of typed) {
      const { id, title, context: of } = await findCommand(commands, one);
      const { kind } = await client.prioritizeCommand({ id, priority });
      raised[kind].push(id);
      const word = kind === 'prioritized' ? `priority ${priority}` : 'is not in the queue';
      const mark = as(kind === 'prioritized' ? 'ok' : 'muted', '○');
      context.print([line(mark, ` ${idLabel(id, render)} `, muted(of.provider), ` ${title}: ${word}`)]);
    }
  });
  context.json({ raised: raised.prioritized, notWaiting: raised['not-waiting'], priority });
  return raised['not-waiting'].length > 0 ? EXIT.conflict : EXIT.ok;
}

export function onlyRaises(): UsageError {
  return new UsageError(
    'usage',
    'Cannot list the queue for single commands: ids and --priority are for `queue raise`',
    {
      next: ['signalbox queue raise ID'],
    },
  );
}
