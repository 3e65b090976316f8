import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { commitsOf, discardCommit, revertAll } from './commit.ts';
import { readJournal } from './journal.ts';

/** What is kept for `undo`: so many commits, the newest, and so many bytes of replaced files. */
const MAX_KEPT = 50;
const MAX_KEPT_BYTES = 512 * 1024 ** 2;

/**
 * Settles what a process left that was killed: a commit that was cut off is taken back, so that the workspace
 * is as before it. To be called before any command runs, by the only coordinator of the workspace.
 *
 * @returns Ids of the commands whose commit was taken back.
 */
export function recoverCommits(stateFolder: string): string[] {
  const commits = commitsOf(stateFolder);
  mkdirSync(commits, { recursive: true, mode: 0o700 });
  return readdirSync(commits).flatMap((name) => {
    const folder = join(commits, name);
    const isDone = readJournal(folder, 'done') !== null;
    // `undoing` counts also beside `done`, which it replaces; `done` counts beside `swapping`.
    const cutOff = readJournal(folder, 'undoing') ?? (isDone ? null : readJournal(folder, 'swapping'));
    if (cutOff === null && isDone) return [];
    if (cutOff !== null) revertAll(cutOff, folder);
    discardCommit(folder);
    return cutOff === null ? [] : [cutOff.commandId];
  });
}

/** Lets go of the oldest commits. */
export function pruneCommits(commits: string): void {
  const newestFirst = readdirSync(commits)
    .flatMap((name) => {
      const folder = join(commits, name);
      const done = statSync(join(folder, 'done.json'), { throwIfNoEntry: false });
      return done === undefined ? [] : [{ folder, at: done.mtimeMs }];
    })
    .toSorted((one, other) => other.at - one.at);
  let bytes = 0;
  for (const [index, { folder }] of newestFirst.entries()) {
    bytes += bytesBelow(join(folder, 'originals'));
    if (index >= MAX_KEPT || bytes > MAX_KEPT_BYTES) discardCommit(folder);
  }
}

function bytesBelow(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.reduce((sum, entry) => {
    if (!entry.isFile()) return sum;
    return sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}
