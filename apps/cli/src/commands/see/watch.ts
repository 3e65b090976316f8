import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { namedServer } from '../../client/named-server.ts';
import { parseFilter } from '../../live/watch/frame/lane-filter.ts';
import { watchLive } from '../../live/watch/live-watch.ts';
import { watchPlainly } from '../../live/watch/plain-watch.ts';
import { readSnapshot } from '../../live/watch/read-snapshot.ts';
import { stillFrame } from '../../live/watch/still-frame.ts';
import { newWatchState, watchAfter } from '../../live/watch/frame/watch-state.ts';
import { newWatchUi } from '../../live/watch/frame/watch-ui.ts';

/** `signalbox watch`: live lanes, queue, approvals and output. */
export const watch = defineSubcommand({
  name: 'watch',
  args: z.object({
    filter: z.string().default(''),
    once: z.boolean().default(false),
    bell: z.boolean().default(true),
  }),
  async run({ filter: typed, once, bell }, context) {
    refuseInsideCommand(context, 'watch');
    const parsed = parseFilter(typed);
    if (parsed.kind === 'mistake') {
      throw new UsageError('usage', `Cannot watch: ${parsed.why}`, {
        next: ['signalbox watch -f "provider:openai"'],
      });
    }
    const named = namedServer(context.flags, context);
    const find = async (): Promise<LocalAccess> =>
      named ?? connectCoordinator(context, { what: 'watch', start: false });
    const access = await find();
    const filter = { text: typed, terms: parsed.filter };
    if (once) {
      const update = await readSnapshot(access, 'start');
      const state = watchAfter(newWatchState(), update, { now: context.clock.now() });
      context.answer({
        json: () => update[0].snapshot,
        lines: (render) => stillFrame(state, filter.terms, { render, columns: context.env['COLUMNS'] }),
      });
      return EXIT.ok;
    }
    const isScreen = context.terminal.stdout.tty && context.terminal.live && context.keyboard.available;
    if (!isScreen || context.flags.json) await watchPlainly(context, { filter: parsed.filter, find });
    else {
      let ui = newWatchUi(filter);
      for (;;) {
        const ended = await watchLive(context, { ui, access, find, rings: bell });
        if (ended.left === 'quit') break;
        const { review } = await import('../operate/review.ts');
        await review.run({}, context);
        await context.askLine('Enter goes back to watch: ', new AbortController().signal);
        ui = ended.ui;
      }
    }
    return EXIT.ok;
  },
});
