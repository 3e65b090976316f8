import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { statsOf } from '../overlay/standing.ts';
import type { Turn } from '../turns.ts';
import { type HostFolders, isUnreachable } from './host-folders.ts';

/** A larger folder is not looked at. */
const MOST_NAMES = 5000;

/**
 * Whether somebody took names out of a folder since a time, as `rm` in a terminal does: the folder changed, and
 * nothing in it was made or moved there since. Of removals by commands the commits tell.
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
  if (names.length > MOST_NAMES) return false;
  for (const name of names) {
    await turn();
    const stats = statsOf(join(at, name));
    // What is written in place, or has other names in it, is neither.
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
