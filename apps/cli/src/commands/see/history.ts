import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type CommandRecord, type PageFilter, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { pageThatFits } from '../../client/readers/page-that-fits.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { as, line } from '../../terminal/line.ts';
import { plural } from '../../terminal/render-context.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { historyView } from '../../views/commands-view.ts';
import { filterArguments, toPageFilter } from './command-filter.ts';
import { followCommands, refuseToFollow } from './follow-commands.ts';
import { historyCsv, historyJsonl } from './history-export.ts';
import { moreLines } from './more-lines.ts';

/** An export without `--limit` contains the whole history. */
const ALL = 10_000_000;

/** `signalbox history`: finished commands, newest first; `--export` writes them to a file, `--follow` continues. */
export const history = defineSubcommand({
  name: 'history',
  args: z.object({
    ...filterArguments,
    export: z.string().min(1).optional(),
    follow: z.boolean().default(false),
  }),
  async run({ follow, export: file, ...args }, context) {
    if (file !== undefined) checkName(file);
    const limit = args.limit ?? (file === undefined ? undefined : ALL);
    const filterOf = (reader: Reader): Promise<PageFilter> =>
      toPageFilter({ ...args, limit }, context, reader.commands);
    if (follow) {
      refuseToFollow({ cursor: args.cursor, export: file });
      return followCommands({ which: 'ended', filterOf, typed: args.filter }, context);
    }
    const { commands, next } = await withReader(context, async (reader) =>
      pageThatFits(reader.history, await filterOf(reader), args.filter),
    );
    if (file !== undefined) await exportTo(file, commands, context);
    else if (context.flags.json) for (const record of commands) context.json(record);
    else await context.page(historyView(commands, context.render()));
    if (next !== null)
      context.say(
        moreLines('history', { asked: { ...args, filter: args.filter?.text, export: file }, next }, context),
      );
    return EXIT.ok;
  },
});

function checkName(file: string): void {
  if (file === '-' || file.endsWith('.csv') || file.endsWith('.jsonl')) return;
  throw new UsageError('usage', `Cannot export to "${file}": its name must end in .jsonl or .csv`, {
    next: ['signalbox history --export history.jsonl', 'signalbox history --export history.csv'],
  });
}

async function exportTo(
  file: string,
  records: readonly CommandRecord[],
  { cwd, write, say }: Context,
): Promise<void> {
  const text = file.endsWith('.csv') ? historyCsv(records) : historyJsonl(records);
  if (file === '-') return write(text);
  await writeFile(resolve(cwd, file), text, { mode: 0o600 });
  say([line(as('ok', '✓'), ` ${plural(records.length, 'command')} written to ${file}`)]);
}
