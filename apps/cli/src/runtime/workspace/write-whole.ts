import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file whole or not at all: a write cut short by a full disk neither replaces a user's file nor leaves a
 * partial one. A file keeps its mode, and one reached by a link keeps its location.
 *
 * @param folderMode of a folder created for it. Default: only for its owner.
 */
export function writeWhole(
  file: string,
  text: string,
  { folderMode = 0o700 }: Readonly<{ folderMode?: number }> = {},
): void {
  mkdirSync(dirname(file), { recursive: true, mode: folderMode });
  const target = existsSync(file) ? realpathSync(file) : file;
  const mode = existsSync(target) ? { mode: statSync(target).mode } : {};
  const draft = `${target}.draft`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { flag: 'wx', ...mode });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}
