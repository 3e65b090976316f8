import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Turn } from '../turns.ts';
import type { IsDenied } from './default-denials.ts';

/** Folders to which a look is too dear: packages hold no secrets of the workspace. */
const SKIPPED = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', 'target', '_build']);
const MAX_FOLDERS = 20_000;
/** A folder changed more recently than this may change again without its time telling. */
const SETTLED_MS = 100;

type Folder = {
  readonly changedAt: number;
  readonly folders: readonly string[];
  readonly denied: readonly DeniedPath[];
};

export type DeniedPath = { readonly path: string; readonly kind: 'file' | 'directory' };

/**
 * Finds the names of a workspace that must not be read. It remembers each folder by its time of change, so
 * that a second look costs one `lstat` a folder.
 */
export function createDeniedPaths(workspace: string, isDenied: IsDenied): () => readonly DeniedPath[] {
  let known = new Map<string, Folder>();

  return () => {
    const seen = new Map<string, Folder>();
    const waiting = [''];
    for (let path = waiting.pop(); path !== undefined && seen.size < MAX_FOLDERS; path = waiting.pop()) {
      const folder = lookInto(path);
      if (folder === null) continue;
      seen.set(path, folder);
      waiting.push(...folder.folders);
    }
    known = seen;
    return [...seen.values()].flatMap(({ denied }) => denied);
  };

  function lookInto(path: string): Folder | null {
    const absolute = join(workspace, path);
    const changedAt = changeOf(absolute);
    if (changedAt === null) return null;
    const before = known.get(path);
    if (before !== undefined && before.changedAt === changedAt) return before;
    const { folders, denied } = sort(path, entriesOf(absolute), isDenied);
    const settled = Date.now() - changedAt > SETTLED_MS;
    return { changedAt: settled ? changedAt : Number.NaN, folders, denied };
  }
}

/** What must not be read of a file, or of a folder and what lies in it: the first that is found, or null. */
export async function firstDenied(
  workspace: string,
  path: string,
  { isDenied, turn }: { readonly isDenied: IsDenied; readonly turn: Turn },
): Promise<string | null> {
  if (path.split('/').some((segment) => SKIPPED.has(segment))) return null;
  if (isDenied(path, 'read')) return path;
  const entries = await readdir(join(workspace, path), { withFileTypes: true }).catch(() => []);
  const folders: string[] = [];
  for (const entry of entries) {
    await turn();
    const { folders: below, denied } = sort(path, [entry], isDenied);
    if (denied[0] !== undefined) return denied[0].path;
    folders.push(...below);
  }
  for (const folder of folders) {
    const below = await firstDenied(workspace, folder, { isDenied, turn });
    if (below !== null) return below;
  }
  return null;
}

function sort(
  parent: string,
  entries: readonly Dirent[],
  isDenied: IsDenied,
): Pick<Folder, 'folders' | 'denied'> {
  const folders: string[] = [];
  const denied: DeniedPath[] = [];
  for (const entry of entries) {
    const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
    if (entry.isDirectory()) {
      if (isDenied(path, 'read') || isDenied(`${path}/any`, 'read')) denied.push({ path, kind: 'directory' });
      else if (!SKIPPED.has(entry.name)) folders.push(path);
    } else if (isDenied(path, 'read')) denied.push({ path, kind: 'file' });
  }
  return { folders, denied };
}

function changeOf(path: string): number | null {
  try {
    return lstatSync(path).mtimeMs;
  } catch {
    return null;
  }
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
