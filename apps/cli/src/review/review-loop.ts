import { type Review, type UndoCall, type UndoOutcome, undosOf } from '@signalbox/coordinator';
import { createId, type FileTouch } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { quoteWord } from '../frame/quote-word.ts';
import { idLabel } from '../screen/id-labels.ts';
import { as, line, muted } from '../screen/line.ts';
import { readAnswer } from './review-answer.ts';
import { fileDiffView, type NumberedFile, numberedFiles, reviewView } from './review-view.ts';

export type ReviewDesk = Readonly<{
  load(): Promise<Review>;
  undo(call: UndoCall): Promise<UndoOutcome>;
}>;

/** Shows what was changed and takes answers until the person leaves. What is not undone stays: nothing is lost by that. */
export async function reviewLoop(desk: ReviewDesk, context: Context): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  for (;;) {
    const review = await desk.load();
    const files = numberedFiles(review);
    if (files.length === 0) {
      context.say([line(muted('No changes to review'))]);
      return exit;
    }
    context.say(reviewView(review, context.lookOfTalk()));
    const typed = await context.askLine(
      'Review [N show · u N or u PROVIDER undo · c commit line · q leave as is]: ',
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
        context.say(fileDiffView(answer.file));
        break;
      case 'commit':
        context.say([line(as('accent', commitLine(review)))]);
        break;
      case 'undo':
        exit = await undoFiles(answer.files, { desk, context });
    }
  }
}

/** Undoes files, provider by provider, each command of theirs by a command of its own, up to the first that can't be. */
export async function undoFiles(
  files: readonly NumberedFile[],
  { desk, context }: Readonly<{ desk: Pick<ReviewDesk, 'undo'>; context: Context }>,
): Promise<ExitCode> {
  const undone: FileTouch[] = [];
  for (const { command, paths } of undosOf(files.map(({ file }) => file))) {
    const outcome = await desk.undo({
      command,
      paths,
      force: false,
      part: true,
      by: { name: context.user, channel: 'cli' },
      sessionId: createId('session', context.random),
    });
    const label = idLabel(command, context.lookOfTalk());
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
    const by = idLabel(outcome.commandId, context.lookOfTalk());
    context.say([
      line(as('ok', '✓'), ` ${paths.join(', ')} undone by ${by} · restore: signalbox undo ${by}`),
    ]);
  }
  return EXIT.ok;
}

/** To be pasted: all changed files, with the proposed message. */
export function commitLine({ providers, message }: Review): string {
  const paths = [...new Set(providers.flatMap(({ files }) => files.map(({ path }) => path)))];
  const words = paths.map(quoteWord).join(' ');
  return `git add -- ${words} && git commit -m ${quoteWord(message)}`;
}
