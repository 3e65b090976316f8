import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { readUpToSync } from '../files/read-up-to.ts';

/** Reads a regular file of at most `maxBytes`; null otherwise. Never blocks and follows no link. */
export function bytesAt(path: string, maxBytes: number): Buffer | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= maxBytes
      ? readUpToSync(file, maxBytes, { size: stats.size })
      : null;
  } finally {
    closeSync(file);
  }
}
