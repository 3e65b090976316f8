import { join } from 'node:path';
import { statAt } from '../../overlay/file-stat.ts';
import { createTurns } from '../../turns.ts';
import { foldersAbove } from '../disk/folders-above.ts';
import { type HostFolders, isUnreachable } from '../disk/host-folders.ts';
import { commitsSince } from './kept-commits.ts';
import { originalOf } from '../disk/swap.ts';

export type RemovedSince = {
  /**
   * For an absent path: the path itself or the folder above it that commits removed or renamed, or null. A path
   * that was only created since, and removed again, counts as absent all along.
   */
  readonly above: (path: string, folders: HostFolders) => string | null;
  /** Whether commits removed a name from a folder. */
  readonly hasTakenFrom: (folder: string) => boolean;
};

/**
 * What our commits removed or renamed since a time.
 *
 * @param since Kernel time, in nanoseconds.
 */
export async function removedSince(commits: string, since: bigint): Promise<RemovedSince> {
  const known = new Set<string>();
  /** Where each removed file is kept, by its former path. */
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
      // Created again, but its former content is gone.
      if (statAt(join(original, path.slice(folder.length + 1))) !== null) return path;
    }
    return null;
  }

  return { above, hasTakenFrom: (folder) => takenFrom.has(folder) };
}

/** The parent folder; empty for the workspace itself. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function isThere(path: string, folders: HostFolders): boolean {
  try {
    return statAt(folders.at(path)) !== null;
  } catch (cause) {
    if (isUnreachable(cause)) return false;
    throw cause;
  }
}
