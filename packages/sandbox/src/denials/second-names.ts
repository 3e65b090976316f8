import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Turn } from '../turns.ts';

/** A file in a folder, by the key all its names share. */
export type Linked = { readonly path: string; readonly key: string };

/** Upper bound on files read in denied folders. */
const MAX_READ = 10_000;

/**
 * Parts of our own state that commands left. A replaced file is kept there by a hard link, and its other names
 * in the workspace stay readable.
 */
const LEFT_BY_COMMANDS: ReadonlySet<string> = new Set([
  '.signalbox/commits',
  '.signalbox/output',
  '.signalbox/overlay',
]);

type Remembered = { linked: readonly Linked[] | null };

/**
 * Finds other names (hard links) of denied files in the scanned folders. Costs one `lstat` per denied file.
 * Other files are read only if a denied one has a second name, and each folder only once until it changes.
 */
export async function secondNames(
  workspace: string,
  denied: readonly string[],
  { folders, turn }: { readonly folders: ReadonlyMap<string, Remembered>; readonly turn: Turn },
): Promise<readonly string[]> {
  const keys = await keysOf(workspace, denied, turn);
  if (keys.size === 0) return [];
  const known = new Set(denied);
  const found: string[] = [];
  for (const [folder, remembered] of folders) {
    remembered.linked ??= filesIn(workspace, folder);
    for (const { path, key } of remembered.linked) if (keys.has(key) && !known.has(path)) found.push(path);
    await turn();
  }
  return found;
}

/** A key that all names of a file share. */
export function linkKeyOf({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

/** Keys of denied files with more than one name, including files in denied folders. */
export async function keysOf(
  workspace: string,
  denied: readonly string[],
  turn: Turn,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  const waiting = [...denied];
  let steps = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    await turn();
    const stats = statsOf(join(workspace, path));
    if (stats?.isFile() === true && stats.nlink > 1) keys.add(linkKeyOf(stats));
    steps += 1;
    if (stats?.isDirectory() === true && steps < MAX_READ && !LEFT_BY_COMMANDS.has(path))
      waiting.push(...namesIn(join(workspace, path)).map((name) => `${path}/${name}`));
  }
  return keys;
}

function filesIn(workspace: string, folder: string): readonly Linked[] {
  return namesIn(join(workspace, folder)).flatMap((name) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    const stats = statsOf(join(workspace, path));
    return stats?.isFile() === true ? [{ path, key: linkKeyOf(stats) }] : [];
  });
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
