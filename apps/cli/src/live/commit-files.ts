import { commitHash, proposedMessage } from '@signalbox/api';
import type { Review } from '@signalbox/coordinator';
import { type CommandResult, failureOf } from '@signalbox/core';
import type { CoordinatorClient } from '../client/coordinator-client.ts';
import type { Context } from '../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../runtime/contract/exit-code.ts';
import { idLabel } from '../terminal/id-labels.ts';
import { as, line, muted } from '../terminal/line.ts';
import { plural } from '../terminal/render-context.ts';
import { isKept, type KeptChanges, numberedFiles } from './review-view.ts';
import { nextForPerson } from '../views/command/next-for-person.ts';

/** What the user sees. */
export type ShownReview = Readonly<{ review: Review; kept: KeptChanges }>;

/** Rows shown of git's own message when a commit fails. */
const MAX_ROWS = 5;

/**
 * Commits the kept files, or all if none is marked, with a message that the user types. Commits nothing if files or
 * marks have changed since: by the dashboard, an undo or another command.
 */
export async function commitFiles(
  shown: ShownReview,
  {
    load,
    commit,
    context,
  }: Readonly<{
    load: () => Promise<ShownReview>;
    commit: CoordinatorClient['commit'];
    context: Context;
  }>,
): Promise<ExitCode> {
  const { review, kept } = shown;
  if (await isOld()) return EXIT.conflict;
  const files = numberedFiles(review);
  const marked = files.filter((one) => isKept(one, kept));
  const paths = [...new Set((marked.length > 0 ? marked : files).map(({ file }) => file.path))];
  const what = `${marked.length > 0 ? 'the ' : ''}${plural(paths.length, marked.length > 0 ? 'kept file' : 'file')}`;
  const proposed = proposedMessage(review, paths);
  const typed = await context.askLine(
    `Commit ${what}. Message [${proposed}] (q goes back): `,
    new AbortController().signal,
  );
  if (typed === null || typed.trim() === 'q') return EXIT.ok;
  if (await isOld()) return EXIT.conflict;
  const message = typed.trim() === '' ? proposed : typed.trim();
  const outcome = await commit({ paths, message });
  const label = idLabel(outcome.commandId, context.noticeRender());
  if (outcome.kind === 'waits') {
    context.say([line(as('warn', '…'), ` the commit ${label} waits (${outcome.status})`)]);
    return EXIT.needsApproval;
  }
  const hash = commitHash(outcome.result.stdout);
  if (outcome.result.outcome.kind !== 'completed' || hash === null) {
    context.tell([line(as('danger', 'not committed'), muted(` by ${label}`)), ...whyNot(outcome.result)]);
    return EXIT.conflict;
  }
  context.say([
    line(as('ok', '✓'), ` committed ${plural(paths.length, 'file')} as `, as('accent', hash), ` by ${label}`),
  ]);
  return EXIT.ok;

  async function isOld(): Promise<boolean> {
    if (textOf(await load()) === textOf(shown)) return false;
    context.tell([line(as('warn', 'not committed'), ': the review has changed since it was shown')]);
    return true;
  }
}

const textOf = ({ review, kept }: ShownReview): string =>
  JSON.stringify([review.providers, [...kept].toSorted()]);

function whyNot(result: CommandResult) {
  const failure = failureOf(result.outcome);
  const { message, why = [] } = failure ?? { message: 'git made no commit' };
  const next = failure === undefined ? undefined : nextForPerson(failure, result.commandId);
  const said = (result.stderr.trim() || result.stdout.trim()).split('\n').slice(0, MAX_ROWS);
  const rows = [message, ...why, ...said.filter((row) => row !== ''), ...(next === undefined ? [] : [next])];
  return rows.map((row) => line('  ', row));
}
