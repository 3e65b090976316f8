import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { foldersAbove } from '../commit/disk/folders-above.ts';
import type { Turn } from '../turns.ts';
import { type ExistingEntry, statAt, statsOf } from './file-stat.ts';

/**
 * Finds files that a command changed or moved, but that others renamed or removed in the workspace meanwhile.
 *
 * With `xino=off` an overlay shows a file of the lower layer, and its written copy, with the lower inode
 * number. If no path the command read or removed has that number any more, the file is gone.
 */
export type Origins = {
  /** Records the workspace file at a path the command touched. */
  readonly saw: (existing: ExistingEntry | null) => void;
  /**
   * Examines a file or link the command left where the workspace has none, or an older one.
   *
   * @param madeFolder The outermost folder above it that the workspace lacks.
   */
  readonly examine: (path: string, madeFolder: string | undefined) => void;
  /** Returns paths whose origin is gone, without paths below others. */
  readonly gone: (removed: readonly string[], turn: Turn) => Promise<string[]>;
};

export function createOrigins({
  workspace,
  upper,
  merged,
}: Readonly<Record<'workspace' | 'upper' | 'merged', string>>): Origins {
  const seen = new Set<bigint>();
  const wanted: { readonly path: string; readonly ino: bigint }[] = [];

  async function sawBelow(folder: string, turn: Turn): Promise<void> {
    for (const name of namesAt(folder)) {
      const path = join(folder, name);
      const existing = statAt(path);
      if (existing?.kind === 'directory') await sawBelow(path, turn);
      else if (existing !== null) seen.add(existing.ino);
      await turn();
    }
  }

  return {
    saw(existing) {
      if (existing !== null) seen.add(existing.ino);
    },
    examine(path, madeFolder) {
      const shown = statsOf(join(merged, path));
      const written = statsOf(join(upper, path));
      if (shown === null || shown.ino === written?.ino) return;
      wanted.push({ path: written === null ? (madeFolder ?? path) : path, ino: shown.ino });
    },
    async gone(removed, turn) {
      const isMissing = ({ ino }: (typeof wanted)[number]): boolean => !seen.has(ino);
      // Files the command moved out of a folder it removed.
      if (wanted.some(isMissing)) {
        for (const folder of removed) await sawBelow(join(workspace, folder), turn);
      }
      const paths = new Set(wanted.filter(isMissing).map(({ path }) => path));
      return [...paths].filter((path) => !foldersAbove(path).some((folder) => paths.has(folder)));
    },
  };
}

/** Empty if others removed the folder meanwhile. */
function namesAt(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
