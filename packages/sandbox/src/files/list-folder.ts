import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { FileEntry, Files } from '@signalbox/core';
import type { IsDenied } from '../denials/default-denials.ts';
import type { ReadView } from '../denials/read-view.ts';
import { codeOf, notADirectory } from './file-failure.ts';
import { type OpenFolder, inFolder } from './safe-walk.ts';

type Listing = Awaited<ReturnType<Files['list']>>;

const DEFAULT_LIMIT = 1000;

/**
 * Lists a folder breadth-first, so that the limit cuts off the deepest entries. Links are listed and not
 * followed.
 */
export async function listFolder(options: {
  readonly workspace: string;
  /** Normalised. */
  readonly path: string;
  readonly isDenied: IsDenied;
  readonly view: ReadView | null;
  readonly depth?: number;
  readonly limit?: number;
}): Promise<Listing> {
  const { workspace, isDenied, view, depth = 1, limit = DEFAULT_LIMIT } = options;
  const entries: FileEntry[] = [];
  let hidden = 0;
  let level = [options.path];
  for (let below = 0; below < depth && level.length > 0 && entries.length <= limit; below++) {
    const next: string[] = [];
    for (const path of level) {
      if (entries.length > limit) break;
      const found = await entriesOf(path, below > 0);
      const shown = found.filter((entry) => !isHidden(entry));
      hidden += found.length - shown.length;
      entries.push(...shown);
      next.push(...shown.filter(({ kind }) => kind === 'directory').map((entry) => entry.path));
    }
    level = next;
  }
  return {
    entries: entries.slice(0, limit).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    truncated: entries.length > limit,
    hidden,
  };

  function isHidden({ path, kind }: FileEntry): boolean {
    if (isDenied(path, 'read')) return true;
    if (kind === 'directory') return isDenied(`${path}/any`, 'read') || view?.showsOf(path) === 'none';
    return kind === 'file' && view?.showsFile(path) === false;
  }

  /** A folder that vanished since its parent was read counts as empty. */
  async function entriesOf(path: string, mayVanish: boolean): Promise<FileEntry[]> {
    try {
      return await inFolder(workspace, path, { use: (folder) => read(folder, path) });
    } catch (cause) {
      if (mayVanish && codeOf(cause) !== null) return [];
      if (codeOf(cause) === 'ENOTDIR') throw notADirectory('list', path);
      throw cause;
    }
  }
}

async function read(folder: OpenFolder, parent: string): Promise<FileEntry[]> {
  const names = (await readdir(folder.at('.'))).toSorted();
  const entries = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(folder.at(name)).catch(() => null);
      if (stats === null) return [];
      const path = parent === '.' ? name : `${parent}/${name}`;
      return [toEntry(path, stats)];
    }),
  );
  return entries.flat();
}

export function toEntry(path: string, stats: Stats): FileEntry {
  const bytes = stats.isFile() ? stats.size : 0;
  return { path, kind: kindOf(stats), bytes, changedAt: stats.ctimeMs };
}

function kindOf(stats: Stats): FileEntry['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}
