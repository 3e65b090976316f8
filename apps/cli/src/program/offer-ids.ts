import { resolve } from 'node:path';
import type { Context } from '../runtime/contract/context.ts';
import { ID_WORDS } from '../client/readers/find-command.ts';
import { withReader } from '../client/readers/with-reader.ts';
import { idLabels } from '../terminal/id-labels.ts';
import { visible } from '@signalbox/core/visible-text';
import type { Argument } from '../commands/table/subcommand-row.ts';
import { findRow } from '../commands/table/subcommand-table.ts';
import { offeredCommands } from './offered-commands.ts';
import { findWorkspace } from '../runtime/workspace/find-workspace.ts';
import { readTypedLine, type TypedLine } from './typed-line.ts';

/** How long a user waits after Tab. */
const GIVEN_UP_AFTER_MS = 2000;
/** Cells of a description: shells cut longer rows. */
const MAX_CELLS = 60;

/** An id, and its description. */
export type OfferedId = Readonly<{ id: string; what: string }>;

/** Ids that match at the cursor, newest first; empty without a server. Errors are left to the subcommand itself. */
export async function offerIds(line: string, context: Context): Promise<readonly OfferedId[]> {
  const typed = readTypedLine(line, context.env['HOME']);
  const commands = wantedHere(typed);
  if (commands === undefined) return [];
  if (typed.begun.startsWith('@')) return wordsLike(typed.begun);
  // A pending response would keep the process alive.
  const cancel = context.clock.timer(GIVEN_UP_AFTER_MS, context.interrupts.raise);
  try {
    const records = await withReader(contextOf(typed, context), (reader) =>
      offeredCommands(commands, reader),
    );
    const labelOf = typed.begun.startsWith('cmd_')
      ? (id: string): string => id
      : idLabels(
          records.map(({ id }) => id),
          { width: MAX_CELLS },
        );
    return records
      .map(({ id, title, context: { provider } }) => ({
        id: labelOf(id),
        what: visible(`${provider} ${title}`).slice(0, MAX_CELLS),
      }))
      .filter(({ id }) => id.startsWith(typed.begun) && !typed.before.includes(id));
  } catch {
    return [];
  } finally {
    cancel();
  }
}

function wordsLike(begun: string): readonly OfferedId[] {
  return Object.entries(ID_WORDS).flatMap(([id, { means }]) =>
    id.startsWith(begun) ? [{ id, what: means }] : [],
  );
}

/** The commands that the argument being typed can name, if any. */
function wantedHere({ subcommand, before, isValue }: TypedLine): Argument['commands'] {
  const { args = [] } = findRow(subcommand ?? '') ?? {};
  const position = Math.min(before.length, args.length - 1);
  const wanted = args[position];
  const isFull = before.length > position && wanted?.kind !== 'any-number';
  return isValue || isFull ? undefined : wanted?.commands;
}

function contextOf({ directory, server, tokenFile }: TypedLine, context: Context): Context {
  return {
    ...context,
    ...(server === undefined ? findWorkspace(resolve(context.cwd, directory ?? '.'), context.env) : {}),
    tell: () => undefined,
    say: () => undefined,
    flags: {
      ...context.flags,
      ...(server === undefined ? {} : { server }),
      ...(tokenFile === undefined ? {} : { tokenFile }),
    },
  };
}
