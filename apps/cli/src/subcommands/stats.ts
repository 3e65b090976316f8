import * as z from 'zod';
import { DurationArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { withSight } from '../frame/with-sight.ts';
import { statsView } from '../views/stats-view.ts';

/** `signalbox stats --since 1h`: numbers by provider, over the kept history. */
export const stats = defineSubcommand({
  name: 'stats',
  args: z.object({ since: DurationArgument.optional() }),
  async run({ since }, context) {
    const from = since === undefined ? undefined : context.clock.now() - since;
    const data = await withSight(context, (sight) => sight.stats(from));
    context.answer({ json: () => data, lines: (look) => statsView(data, look) });
    return EXIT.ok;
  },
});
