import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { statsOf } from '../overlay/file-stat.ts';
import type { Turn } from '../turns.ts';
import { type HostFolders, isUnreachable } from './disk/host-folders.ts';

/** Larger folders are not checked. */
const MAX_NAMES = 5000;

/**
 * Whether names were removed from a folder since a time, for example by `rm` in a terminal: the folder changed,
 * but nothing in it was created or moved there since. Removals by commands are in the commits.
 */
export async function hasLostNames(
  folder: string,
  { folders, since, turn }: { readonly folders: HostFolders; readonly since: bigint; readonly turn: Turn },
): Promise<boolean> {
  const at = atOrNull(folder, folders);
  const own = at === null ? null : statsOf(at);
  if (at === null || own?.isDirectory() !== true) return false;
  if (own.mtimeNs < since || own.birthtimeNs >= since) return false;
  const names = await readdir(at);
  if (names.length > MAX_NAMES) return false;
  for (const name of names) {
    await turn();
    const stats = statsOf(join(at, name));
    // A file written in place, or with other hard links, is neither.
    if (stats === null || stats.birthtimeNs >= since) return false;
    if (stats.ctimeNs >= since && stats.mtimeNs < since) return false;
  }
  return true;
}

function atOrNull(folder: string, folders: HostFolders): string | null {
  try {
    return folders.at(folder === '' ? '.' : folder);
  } catch (cause) {
    if (isUnreachable(cause)) return null;
    throw cause;
  }
}
