import type { CommandRecord } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { findCommand } from '../../client/readers/find-command.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { commandView } from '../../views/command/command-view.ts';
import { type Blocker, waitsText } from '../../views/command/waits-text.ts';

/** `signalbox status ID`: everything about that command, or the steps of its state machine. */
export async function showCommand(id: string, machine: boolean, context: Context): Promise<void> {
  const { command, blockers } = await withReader(context, async (reader) => {
    const found = await findCommand(reader.commands, id);
    return { command: found, blockers: found.state === 'queued' ? await blockersOf(found, reader) : null };
  });
  context.answer({
    json: () => ({ command }),
    lines: (render) =>
      machine ? pathView(command) : commandView(command, render, { waitsFor: waitsText(blockers, render) }),
  });
}

/** Its blockers in the queue; null if it has left the queue meanwhile. */
async function blockersOf({ id }: CommandRecord, reader: Reader): Promise<readonly Blocker[] | null> {
  const { snapshot, commands } = await reader.queue(2000);
  const entry = snapshot.waiting.find(({ commandId }) => commandId === id);
  return (
    entry?.blockers.flatMap((blocker) => {
      const record = commands.get(blocker);
      if (record === undefined) return [];
      const { title, context, startedAt, submittedAt } = record;
      return [{ id: blocker, provider: context.provider, title, since: startedAt ?? submittedAt }];
    }) ?? null
  );
}

/** The steps of a command through its state machine: when, by which event, and to which state. */
function pathView({ path = [], submittedAt, state }: CommandRecord): readonly Line[] {
  if (path.length === 0) return [line(muted(`${state}; no steps are recorded`))];
  const widest = Math.max(...path.map(({ event }) => event.length));
  return path.map((step) =>
    line(
      muted(`${((step.at - submittedAt) / 1000).toFixed(3).padStart(9)} s  `),
      step.event.padEnd(widest),
      muted('  → '),
      as('bold', step.state),
    ),
  );
}
