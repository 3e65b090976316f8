import { type FileUndo, type Review, undosOf } from '@signalbox/coordinator';
import type { FileTouch } from '@signalbox/core';
import type { CoordinatorClient } from '../client/coordinator-client.ts';
import type { Context } from '../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../runtime/contract/exit-code.ts';
import { idLabel } from '../terminal/id-labels.ts';
import { as, line, muted } from '../terminal/line.ts';
import { wrap } from '../terminal/cells.ts';
import { commitFiles, type ShownReview } from './commit-files.ts';
import { type ReviewSelection, readAnswer } from './review-answer.ts';
import { fileDiffView, keyOf, numberedFiles, reviewView } from './review-view.ts';

export type ReviewParts = Readonly<{
  load(): Promise<Review>;
  client: ReviewClient;
}>;

export type ReviewClient = Pick<CoordinatorClient, 'undo' | 'commit' | 'listKept' | 'keepReviewed'>;

/** Shows the changes and accepts input until the user leaves. Changes that are not undone stay. */
export async function reviewLoop(parts: ReviewParts, context: Context): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  const { client } = parts;
  for (;;) {
    const shown = await loadShown(parts);
    const { review, kept } = shown;
    const files = numberedFiles(review);
    if (files.length === 0) {
      context.say([line(muted('No changes to review'))]);
      return exit;
    }
    context.say(reviewView(review, context.noticeRender(), kept));
    const typed = await context.askLine(
      'Review [N show · k N keep · u N undo (N.M, PROVIDER too) · c commit · q leave]: ',
      new AbortController().signal,
    );
    const answer = readAnswer(typed ?? '', files);
    switch (answer.kind) {
      case 'leave':
        return exit;
      case 'unclear':
        context.tell([line(as('warn', answer.why))]);
        break;
      case 'show':
        context.say(fileDiffView(answer.file, { kept, width: context.noticeRender().width }));
        break;
      case 'commit':
        exit = await commitFiles(shown, { load: () => loadShown(parts), commit: client.commit, context });
        break;
      case 'keep':
        await client.keepReviewed({ keys: [...answer.chosen.files, ...answer.chosen.hunks].map(keyOf) });
        break;
      case 'undo':
        exit = await undoFiles(callsOf(answer.chosen), { undo: client.undo, context });
    }
  }
}

export async function loadShown({ load, client }: ReviewParts): Promise<ShownReview> {
  const review = await load();
  return { review, kept: new Set((await client.listKept()).keys) };
}

/** Whole files first, then single hunks from the last to the first, so that earlier line numbers stay valid. */
function callsOf({ files, hunks }: ReviewSelection): readonly FileUndo[] {
  return [
    ...undosOf(files.map(({ file }) => file)),
    ...hunks.toReversed().map(({ command, path, head }) => ({ command, paths: [path], hunk: head })),
  ];
}

/** Undoes one after the other, each by its own command, and stops at the first failure. */
export async function undoFiles(
  calls: readonly FileUndo[],
  { undo, context }: Readonly<{ undo: ReviewClient['undo']; context: Context }>,
): Promise<ExitCode> {
  const undone: FileTouch[] = [];
  for (const { command, paths, hunk } of calls) {
    const outcome = await undo({
      command,
      paths,
      force: false,
      part: true,
      ...(hunk === undefined ? {} : { hunk }),
    });
    const label = idLabel(command, context.noticeRender());
    if (outcome.kind === 'waits') {
      context.say([line(as('warn', '…'), ` undoing ${label} waits (${outcome.status})`)]);
      return EXIT.needsApproval;
    }
    const { outcome: end, files: touched } = outcome.result;
    if (end.kind !== 'completed') {
      const { message, why = [] } = end.failure;
      context.tell([line(as('danger', end.kind), `: ${message}`), ...why.map((row) => line('  ', row))]);
      return EXIT.conflict;
    }
    undone.push(...touched);
    const by = idLabel(outcome.commandId, context.noticeRender());
    const what = [...paths, ...(hunk === undefined ? [] : [hunk])].join(', ');
    const rows = wrap(
      `${what} undone by ${by} · restore: signalbox undo ${by}`,
      context.noticeRender().width - 2,
    );
    context.say(rows.map((row, at) => line(at === 0 ? as('ok', '✓') : ' ', ' ', row)));
  }
  return EXIT.ok;
}
