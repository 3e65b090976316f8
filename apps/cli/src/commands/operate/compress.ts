import * as z from 'zod';
import { findSession } from '../../client/readers/find-session.ts';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { as, line } from '../../terminal/line.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';

/** `signalbox compress k7f3`: earlier turns of that session become a summary before its next turn. */
export const compress = defineSubcommand({
  name: 'compress',
  args: z.object({ session: z.string() }),
  async run({ session: typed }, context) {
    const session = await withCoordinator(
      context,
      { what: 'compress a conversation', start: false },
      async (client, { commands }) => {
        const id = await findSession(commands, typed);
        await client.compressSession({ id });
        return id;
      },
    );
    context.json({ session, requested: true });
    context.say([line(as('ok', '✓'), ` The conversation of ${session} is compressed before its next turn`)]);
    return EXIT.ok;
  },
});
