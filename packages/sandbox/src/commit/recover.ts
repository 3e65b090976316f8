import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { commitsOf, discardCommit, revertAll } from './commit.ts';
import { readJournal } from './journal.ts';

/** What is kept for `undo`: so many commits, the newest, and so many bytes of replaced files. */
const MAX_KEPT = 200;
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
    // `done` counts beside `swapping`.
    if (isDone(folder)) return [];
    const cutOff = readJournal(folder, 'swapping');
    if (cutOff !== null) revertAll(cutOff, folder);
    discardCommit(folder);
    return cutOff === null ? [] : [cutOff.commandId];
  });
}

function isDone(folder: string): boolean {
  return statSync(join(folder, 'done.json'), { throwIfNoEntry: false }) !== undefined;
}

/** Lets go of the oldest commits, when there may be too many. Its own failure is nobody else's. */
export function letGoOfOldest(commits: string): void {
  const done = (commitsDone.get(commits) ?? 0) + 1;
  commitsDone.set(commits, done);
  if (done % PRUNE_EVERY !== 1) return;
  try {
    prune(commits);
  } catch {
    // A later commit tries again.
  }
}

/** By folder, in this process. */
const commitsDone = new Map<string, number>();
/** A look at all that is kept costs some milliseconds. */
const PRUNE_EVERY = 16;

function prune(commits: string): void {
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
