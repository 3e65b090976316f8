import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * Whether git tracks a file of that name in the repository that contains the directory: then the author of the
 * repository wrote it, not the user of this machine.
 *
 * Reads git's index itself and errs on the side of yes: one entry with the name anywhere is enough, and with compressed
 * paths (version 4) its last segment is. Source: git's `Documentation/gitformat-index`.
 */
export async function isTrackedByGit(directory: string, path: string): Promise<boolean> {
  const folder = await gitFolder(directory);
  if (folder === null) return false;
  const index = await readFile(join(folder, 'index')).catch(() => null);
  if (index === null) return false;
  const isCompressed = index.length > 8 && index.readUInt32BE(4) >= 4;
  return index.includes(isCompressed ? (path.split('/').at(-1) ?? path) : path);
}

/** `.git` of this directory or of a parent, null if there is none; in a worktree it is a file that names the folder. */
export async function gitFolder(directory: string): Promise<string | null> {
  const path = join(directory, '.git');
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true) return path;
  if (found?.isFile() === true) {
    const named = /^gitdir: (.+)$/m.exec(await readFile(path, 'utf8'))?.[1] ?? '';
    return isAbsolute(named) ? named : join(directory, named);
  }
  const above = dirname(directory);
  return above === directory ? null : gitFolder(above);
}
