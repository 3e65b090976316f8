import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file whole or not at all: what a full disk cuts short neither replaces a person's file nor stands there
 * as if it were one. Makes its folder for its owner alone.
 */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.draft`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
