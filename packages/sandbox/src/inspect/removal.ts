import { lstat, opendir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Inspector, Removal } from '@signalbox/core';
import { inFolder } from '../files/safe-walk.ts';
import { codeOf } from '../files/file-failure.ts';

/** Upper bound on entries; shown as "more than". */
const MAX_ENTRIES = 20_000;
const MAX_MS = 1500;
const MAX_NAMES = 20;
const MAX_DEPTH = 64;

type RemovalRequest = Parameters<Inspector['removal']>[0];

/**
 * Counts what a deletion would remove, breadth-first. Follows no link and opens no file.
 *
 * @param request.path Normalised.
 */
export async function removalAt(workspace: string, request: RemovalRequest): Promise<Removal | null> {
  const { path, isMeant } = request;
  const stats = await statsAt(workspace, path);
  if (stats === null) return null;
  if (!stats.isDirectory()) {
    const bytes = stats.isFile() ? stats.size : 0;
    return { path, isFolder: false, files: 1, bytes, names: [path], isCounted: true };
  }
  const names: string[] = [];
  const until = Date.now() + MAX_MS;
  let [files, bytes, entries] = [0, 0, 0];
  let level = [path];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      const isWhole = await eachEntry(workspace, folder, (at, size) => {
        entries += 1;
        if (size === null) next.push(at);
        else if (isMeant === undefined || isMeant(at)) {
          files += 1;
          bytes += size;
          if (names.length < MAX_NAMES) names.push(at);
        }
        return entries < MAX_ENTRIES && Date.now() < until;
      });
      if (!isWhole) return { path, isFolder: true, files, bytes, names: names.toSorted(), isCounted: false };
    }
    level = next.toSorted();
  }
  const isCounted = level.length === 0;
  return { path, isFolder: true, files, bytes, names: names.toSorted(), isCounted };
}

async function statsAt(workspace: string, path: string) {
  try {
    if (path === '.') return await lstat(workspace);
    return await inFolder(workspace, dirname(path), { use: (folder) => lstat(folder.at(basename(path))) });
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null;
    throw cause;
  }
}

/** @param visit Gets a null `size` for folders. Returns whether to go on. */
async function eachEntry(
  workspace: string,
  folder: string,
  visit: (path: string, size: number | null) => boolean,
): Promise<boolean> {
  try {
    return await inFolder(workspace, folder, {
      use: async ({ at }) => {
        for await (const entry of await opendir(at('.'))) {
          const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
          const size = entry.isDirectory() ? null : entry.isFile() ? await sizeAt(at(entry.name)) : 0;
          if (!visit(path, size)) return false;
        }
        return true;
      },
    });
  } catch (cause) {
    // It is gone or unreadable, so the count is a lower bound.
    if (codeOf(cause) === 'ENOENT') return true;
    return false;
  }
}

async function sizeAt(path: string): Promise<number> {
  return (await lstat(path).catch(() => null))?.size ?? 0;
}
