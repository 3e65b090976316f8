import { closeSync, constants, copyFileSync, fstatSync, ftruncateSync, openSync } from 'node:fs';

/** Below `.signalbox/run`: what a coordinator in the background says; what it did is in the audit log. */
export const LOG_FILE = 'coordinator.log';

/** Then it goes on empty, and one older part is kept beside it. */
export const LOG_MOST_BYTES = 1024 * 1024;

/** Keeps the log that this process writes to as standard error from growing without end. */
export function boundLog(file: string): void {
  try {
    const descriptor = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      if (fstatSync(descriptor).size <= LOG_MOST_BYTES) return;
      copyFileSync(file, `${file}.1`);
      // All who write to it append.
      ftruncateSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Of a folder that was removed, or on a full disk: it matters to nobody.
  }
}
