import { join } from 'node:path';
import { standingAt } from '../overlay/standing.ts';
import { createTurns } from '../turns.ts';
import { foldersAbove } from './folders-above.ts';
import { type HostFolders, isUnreachable } from './host-folders.ts';
import { commitsSince } from './kept-commits.ts';
import { originalOf } from './swap.ts';

export type RemovedSince = {
  /**
   * Of a path where nothing stands: what commits removed or renamed, the path or a folder above it, or null. A path
   * that only came to be since, and went again, was absent all the time.
   */
  readonly above: (path: string, folders: HostFolders) => string | null;
  /** Whether commits took a name out of a folder. */
  readonly hasTakenFrom: (folder: string) => boolean;
};

/** What commits of ours removed or renamed since a time. @param since Time of the kernel, in nanoseconds. */
export async function removedSince(commits: string, since: bigint): Promise<RemovedSince> {
  const known = new Set<string>();
  /** By path that stood there before, where what was removed is kept. */
  const removed = new Map<string, string>();
  const turn = createTurns();
  const { kept } = await commitsSince(commits, since);
  for (const { folder, journal } of kept) {
    for (const entry of journal.entries) {
      if (entry.op === 'remove' && !known.has(entry.path))
        removed.set(entry.path, originalOf(folder, entry.index));
      if (entry.op === 'make' || (entry.op === 'put' && entry.before === null)) known.add(entry.path);
      await turn();
    }
  }

  const takenFrom = new Set([...removed.keys()].map(parentOf));

  function above(path: string, folders: HostFolders): string | null {
    if (removed.size === 0) return null;
    if (removed.has(path)) return path;
    for (const folder of foldersAbove(path)) {
      const original = removed.get(folder);
      if (original === undefined) continue;
      if (!isThere(folder, folders)) return folder;
      // Made again: what was in it before is gone all the same.
      if (standingAt(join(original, path.slice(folder.length + 1))) !== null) return path;
    }
    return null;
  }

  return { above, hasTakenFrom: (folder) => takenFrom.has(folder) };
}

/** Empty: the workspace. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function isThere(path: string, folders: HostFolders): boolean {
  try {
    return standingAt(folders.at(path)) !== null;
  } catch (cause) {
    if (isUnreachable(cause)) return false;
    throw cause;
  }
}
