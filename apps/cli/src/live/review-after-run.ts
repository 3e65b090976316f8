import { undosOf } from '@signalbox/coordinator';
import { isGone } from '../client/reconnect.ts';
import type { Context } from '../runtime/contract/context.ts';
import { as, line, muted } from '../terminal/line.ts';
import { plural } from '../terminal/render-context.ts';
import { commitFiles } from './commit-files.ts';
import { loadShown, type ReviewParts, reviewLoop, undoFiles } from './review-loop.ts';
import { numberedFiles } from './review-view.ts';

/**
 * The last prompt of a run on a terminal; leaving it changes nothing, and `signalbox review` opens it again. Only `q`
 * and the end of input leave: a letter typed while the run is still drawing may be lost, and its Enter arrive here.
 */
export async function reviewAfterRun(parts: ReviewParts, context: Context): Promise<void> {
  const { flags, terminal } = context;
  if (!flags.input || flags.json || !terminal.stdin.tty || !terminal.stderr.tty) return;
  const ask = (question: string) => context.askLine(question, new AbortController().signal);
  for (;;) {
    const shown = await loadShown(parts).catch(nullWhereNobodyAnswers);
    if (shown === null) return leave(context);
    const files = numberedFiles(shown.review);
    if (files.length === 0) return;
    const typed = await ask('r review · c commit · u undo all · q leave as is: ');
    switch (typed === null ? 'q' : typed.trim().toLowerCase()) {
      case 'r':
        await reviewLoop(parts, context);
        return;
      case 'c':
        await commitFiles(shown, { load: () => loadShown(parts), commit: parts.client.commit, context });
        return;
      case 'u':
        if ((await ask(`Undo ${plural(files.length, 'file')}? [y/N] `))?.trim().toLowerCase() === 'y')
          await undoFiles(undosOf(files.map(({ file }) => file)), { undo: parts.client.undo, context });
        return;
      case 'q':
        return leave(context);
      default:
        context.tell([line(as('warn', 'enter r, c, u or q'))]);
    }
  }
}

function leave({ say }: Pick<Context, 'say'>): void {
  say([line(muted('All changes stay. Review them later: '), as('accent', 'signalbox review'))]);
}

/** A coordinator that was told to stop when its work is done may be stopping by now, or gone. */
function nullWhereNobodyAnswers(error: unknown): null {
  if (isGone(error)) return null;
  throw error;
}
