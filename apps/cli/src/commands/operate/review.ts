import { loadReview } from '@signalbox/coordinator';
import * as z from 'zod';
import { findSession } from '../../client/readers/find-session.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { fromReader } from '../../live/from-reader.ts';
import { type ReviewClient, reviewLoop } from '../../live/review-loop.ts';
import { reviewView } from '../../live/review-view.ts';
import { line, muted } from '../../terminal/line.ts';

/** `signalbox review`: changes by provider and file, to keep or undo. */
export const review = defineSubcommand({
  name: 'review',
  args: z.object({ session: z.array(z.string()).default([]) }),
  async run({ session: sessions }, context) {
    const load = () =>
      withReader(context, async (reader) => {
        const wanted = await Promise.all(sessions.map((one) => findSession(reader.commands, one)));
        return loadReview(fromReader(reader, context), new Set(wanted));
      });
    if (!isAnswered(context)) {
      const found = await load();
      context.json(found);
      if (!context.flags.json) {
        const isEmpty = found.providers.length === 0;
        context.print(isEmpty ? [line(muted('No changes to review'))] : reviewView(found, context.render()));
      }
      return EXIT.ok;
    }
    refuseInsideCommand(context, 'review');
    return reviewLoop({ load, client: clientFor(context) }, context);
  },
});

/** Each request goes to the current coordinator: between two it may end or be replaced. */
function clientFor(context: Context): ReviewClient {
  const ask = <Answer>(use: (client: ReviewClient) => Promise<Answer>): Promise<Answer> =>
    withCoordinator(context, { what: 'review', start: true }, use);
  return {
    undo: (request) => ask(({ undo }) => undo(request)),
    commit: (request) => ask(({ commit }) => commit(request)),
    listKept: () => ask(({ listKept }) => listKept()),
    keepReviewed: (request) => ask(({ keepReviewed }) => keepReviewed(request)),
  };
}

function isAnswered({ flags, terminal }: Context): boolean {
  return flags.input && !flags.json && terminal.stdin.tty && terminal.stderr.tty;
}
