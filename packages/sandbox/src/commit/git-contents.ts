import { type GitContents, gitTextAt } from '../git/git-lines.ts';
import { type HostFolders, isUnreachable } from './disk/host-folders.ts';
import type { Staged } from './disk/stage.ts';
import { stagedOf } from './disk/swap.ts';

/** Reads files below `.git` before a commit, and their staged versions. */
export function gitContents(
  folders: HostFolders,
  { folder, staged }: { readonly folder: string; readonly staged: ReadonlyMap<string, Staged> },
): GitContents {
  return {
    before(path) {
      try {
        return gitTextAt(folders.at(path));
      } catch (cause) {
        if (isUnreachable(cause)) return null;
        throw cause;
      }
    },
    after(path) {
      const index = staged.get(path)?.index;
      return index === undefined ? null : gitTextAt(stagedOf(folder, index));
    },
  };
}
