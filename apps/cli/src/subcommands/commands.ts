import * as z from 'zod';
import { CountArgument, DurationArgument, ProviderArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { withSight } from '../frame/with-sight.ts';
import { commandsView } from '../views/commands-view.ts';
import { toCommandFilter } from './command-filter.ts';

/** Without `--all`, what ended longer ago than this is left to `history`. */
const LATELY_MS = 3_600_000;

/** `signalbox commands`: what goes on and what ended lately, newest first. */
export const commands = defineSubcommand({
  name: 'commands',
  args: z.object({
    provider: ProviderArgument.optional(),
    tool: z.string().optional(),
    outcome: z.array(z.string()).optional(),
    since: DurationArgument.optional(),
    limit: CountArgument.optional(),
    all: z.boolean().default(false),
  }),
  async run(args, context) {
    const lately = args.all ? {} : { since: args.since ?? LATELY_MS };
    const filter = toCommandFilter({ ...args, ...lately }, context.clock.now());
    const records = await withSight(context, (sight) => sight.commands.list(filter));
    context.answer({ json: () => ({ commands: records }), lines: (look) => commandsView(records, look) });
    return EXIT.ok;
  },
});
