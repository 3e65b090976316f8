import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file whole or not at all: what a full disk cuts short neither replaces a person's file nor stands there
 * as if it were one. A file keeps its mode, and one that is reached by a link keeps its place.
 *
 * @param folderMode of the folder that is made for it. Default: for its owner alone.
 */
export function writeWhole(file: string, text: string, folderMode = 0o700): void {
  mkdirSync(dirname(file), { recursive: true, mode: folderMode });
  const place = existsSync(file) ? realpathSync(file) : file;
  const mode = existsSync(place) ? { mode: statSync(place).mode } : {};
  const draft = `${place}.draft`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { flag: 'wx', ...mode });
    renameSync(draft, place);
  } finally {
    rmSync(draft, { force: true });
  }
}
