import type { PageFilter } from '@signalbox/core';
import * as z from 'zod';
import { pageThatFits } from '../../client/readers/page-that-fits.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { line, muted } from '../../terminal/line.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { commandsView } from '../../views/commands-view.ts';
import { filterArguments, toPageFilter } from './command-filter.ts';
import { followCommands, refuseToFollow } from './follow-commands.ts';
import { moreLines } from './more-lines.ts';

/** Without `--all`, commands that ended longer ago are left to `history`. */
const LATELY_MS = 3_600_000;

/** `signalbox commands`: current and recent commands, newest first; `--follow` continues with each change. */
export const commands = defineSubcommand({
  name: 'commands',
  args: z.object({
    ...filterArguments,
    all: z.boolean().default(false),
    follow: z.boolean().default(false),
  }),
  async run({ follow, ...args }, context) {
    const lately = args.all ? {} : { since: args.since ?? LATELY_MS };
    const filterOf = ({ commands: stored }: Reader): Promise<PageFilter> =>
      toPageFilter({ ...args, ...lately }, context, stored);
    if (follow) {
      refuseToFollow({ cursor: args.cursor });
      return followCommands({ which: 'all', filterOf, typed: args.filter }, context);
    }
    const page = await withReader(context, async (reader) =>
      pageThatFits(reader.page, await filterOf(reader), args.filter),
    );
    context.answer({ json: () => page, lines: (render) => commandsView(page.commands, render) });
    if (page.commands.length === 0 && !args.all && args.since === undefined)
      context.say([line(muted('Older than an hour: signalbox commands --all'))]);
    if (page.next !== null)
      context.say(
        moreLines('commands', { asked: { ...args, filter: args.filter?.text }, next: page.next }, context),
      );
    return EXIT.ok;
  },
});
