import type { CommandId, CommandRecord, SessionId } from '@signalbox/core';
import { type LeftByCommand, leftBy } from './committed-until.ts';
import { checksOf, withEdits } from './checks-of.ts';
import { undoneHunks, undonePaths } from './undone-by.ts';
import { ignoredAmong } from './hidden-by-ignore.ts';
import { isOfGit, type Review, type ReviewedDiff, reviewOf } from './review-of.ts';

/** The newest commands that changed files; older ones are found in the history. */
const MAX_COMMANDS = 200;
/** Commands searched for these, and for undos. */
const MAX_LISTED = 1000;

/** Changes of these sessions that are neither undone nor committed; without sessions: of all. */
export async function loadReview(
  from: {
    list(query: { readonly limit: number }): Promise<readonly CommandRecord[]>;
    changesOf(id: CommandId): Promise<readonly ReviewedDiff[] | null>;
    /** Which paths git ignores, including paths that may not exist; if unknown, none. */
    ignoredByGit(gone: readonly string[]): Promise<(path: string) => boolean>;
    /** Which of these paths the last commit ignores, whatever a `.gitignore` says since; if unknown, none. */
    ignoredInHead(paths: readonly string[]): Promise<ReadonlySet<string>>;
    /** The time (epoch ms) until which the changes of each path are in git's HEAD; null if unknown. */
    committedInGit(changes: readonly LeftByCommand[]): Promise<ReadonlyMap<string, number> | null>;
    /** Files changed by anyone since a time, and when; if unknown, none. */
    editedSince(
      sinceMs: number,
      options: {
        readonly isLeftOut: (path: string) => boolean;
        /** May no longer exist. */
        readonly removed: readonly string[];
      },
    ): Promise<readonly { readonly path: string; readonly changedAt: number }[]>;
  },
  sessions: ReadonlySet<SessionId>,
): Promise<Review> {
  const all = await from.list({ limit: MAX_LISTED });
  const own = all.filter(
    ({ context, call, result }) =>
      (sessions.size === 0 || sessions.has(context.sessionId) || call.tool === 'undo') &&
      result?.files.some(({ kind }) => kind !== 'read') === true,
  );
  const changed = [];
  for (const record of own.slice(0, MAX_COMMANDS)) {
    const changes = await from.changesOf(record.id);
    if (changes !== null) changed.push({ record, changes });
  }
  const gone = changed.flatMap(({ changes }) =>
    changes.flatMap(({ path, current }) => (current || isOfGit(path) ? [] : [path])),
  );
  const isIgnored = await from.ignoredByGit([...new Set(gone)]);
  const [isUndone, hunksUndone] = [undonePaths(all), undoneHunks(all)];
  // Undone changes are left out: the same content in HEAD says nothing about changes before it.
  const left = changed.flatMap(({ record }) =>
    leftBy(record).filter(
      ({ path }) => !isIgnored(path) && !isUndone(record.id, path) && hunksUndone(record.id, path).size === 0,
    ),
  );
  const edited = changed.flatMap(({ changes }) => changes.filter(({ byHand }) => byHand));
  const removed = [...new Set(edited.map(({ path }) => path))];
  const runs = checksOf(all, (path) => !isOfGit(path) && !isIgnored(path));
  return {
    ...reviewOf(all, changed, {
      isIgnored,
      ignoredInHead: await from.ignoredInHead(ignoredAmong(changed, isIgnored)),
      committedInGit: await from.committedInGit(left),
    }),
    checks: await withEdits(runs, all, (since) => from.editedSince(since, { isLeftOut: isIgnored, removed })),
  };
}
