import * as z from 'zod';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { withSight } from '../frame/with-sight.ts';
import { commandsView } from '../views/commands-view.ts';
import { filterArguments, toCommandFilter } from './command-filter.ts';
import { followCommands, refuseToFollow } from './follow-commands.ts';
import { moreLines } from './more-lines.ts';

/** Without `--all`, what ended longer ago than this is left to `history`. */
const LATELY_MS = 3_600_000;

/** `signalbox commands`: what goes on and what ended lately, newest first; `--follow` goes on as it changes. */
export const commands = defineSubcommand({
  name: 'commands',
  args: z.object({
    ...filterArguments,
    all: z.boolean().default(false),
    follow: z.boolean().default(false),
  }),
  async run({ follow, ...args }, context) {
    const lately = args.all ? {} : { since: args.since ?? LATELY_MS };
    const filter = toCommandFilter({ ...args, ...lately }, context.clock.now());
    if (follow) {
      refuseToFollow({ cursor: args.cursor });
      return followCommands(filter, 'all', context);
    }
    const page = await withSight(context, (sight) => sight.page(filter));
    context.answer({ json: () => page, lines: (look) => commandsView(page.commands, look) });
    if (page.next !== null) context.say(moreLines('commands', args, page.next, context));
    return EXIT.ok;
  },
});
