import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { CountArgument, DurationArgument, ProviderArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { withSight } from '../frame/with-sight.ts';
import { as, line } from '../screen/line.ts';
import { plural } from '../screen/look.ts';
import { historyView } from '../views/commands-view.ts';
import { toCommandFilter } from './command-filter.ts';
import { historyCsv, historyJsonl } from './history-export.ts';

/** An export without `--limit` takes all that the history keeps. */
const ALL = 10_000_000;

/** `signalbox history`: commands that ended, newest first; `--export` writes them to a file. */
export const history = defineSubcommand({
  name: 'history',
  args: z.object({
    provider: ProviderArgument.optional(),
    tool: z.string().optional(),
    outcome: z.array(z.string()).optional(),
    since: DurationArgument.optional(),
    limit: CountArgument.optional(),
    export: z.string().min(1).optional(),
  }),
  async run(args, context) {
    const limit = args.limit ?? (args.export === undefined ? 100 : ALL);
    const filter = toCommandFilter({ ...args, limit }, context.clock.now());
    const records = await withSight(context, (sight) => sight.history(filter));
    if (args.export === undefined) {
      if (context.flags.json) for (const record of records) context.json(record);
      else context.print(historyView(records, context.look()));
      return EXIT.ok;
    }
    const csv = args.export.endsWith('.csv');
    if (!csv && args.export !== '-' && !args.export.endsWith('.jsonl')) {
      throw new UsageError(
        'usage',
        `Cannot export to "${args.export}": its name ends neither in .jsonl nor in .csv`,
        {
          next: ['signalbox history --export history.jsonl', 'signalbox history --export history.csv'],
        },
      );
    }
    const text = csv ? historyCsv(records) : historyJsonl(records);
    if (args.export === '-') {
      context.write(text);
      return EXIT.ok;
    }
    await writeFile(resolve(context.directory, args.export), text, { mode: 0o600 });
    context.say([line(as('ok', '✓'), ` ${plural(records.length, 'command')} written to ${args.export}`)]);
    return EXIT.ok;
  },
});
