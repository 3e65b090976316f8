import type { CommandId, CommandRecord, SessionId } from '@signalbox/core';
import { type LeftByCommand, leftBy } from './committed-until.ts';
import { checksOf, withEdits } from './checks-of.ts';
import { undoneHunks, undonePaths } from './undone-by.ts';
import { ignoredAmong } from './hidden-by-ignore.ts';
import { isOfGit, type Review, type ReviewedDiff, reviewOf } from './review-of.ts';

/** Commands that changed files, the newest; older ones are left to the history. */
const MAX_COMMANDS = 200;
/** Looked through for those, and for what was undone. */
const MAX_LISTED = 1000;

/** What was changed and neither undone nor committed, of these sessions; of none: of all. */
export async function loadReview(
  from: {
    list(query: { readonly limit: number }): Promise<readonly CommandRecord[]>;
    changesOf(id: CommandId): Promise<readonly ReviewedDiff[] | null>;
    /** Which paths git leaves out, also of those that may be gone; where that is not known, none. */
    ignoredByGit(gone: readonly string[]): Promise<(path: string) => boolean>;
    /** Which of these paths the last commit leaves out, whatever a `.gitignore` says since; where that is not known, none. */
    ignoredInHead(paths: readonly string[]): Promise<ReadonlySet<string>>;
    /** Until when (epoch ms) the changes of each path are in git's HEAD; null where that is not known. */
    committedInGit(changes: readonly LeftByCommand[]): Promise<ReadonlyMap<string, number> | null>;
    /** Files that anybody changed from a moment on, and when; where that is not known, none. */
    editedSince(
      sinceMs: number,
      options: {
        readonly isLeftOut: (path: string) => boolean;
        /** May be gone. */
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
  // What was undone has left nothing: that HEAD has the same says nothing of the changes before it.
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
