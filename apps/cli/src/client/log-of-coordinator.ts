import { closeSync, constants, copyFileSync, fstatSync, ftruncateSync, openSync } from 'node:fs';

/** Below `.signalbox/run`: messages of a coordinator in the background; its actions are in the audit log. */
export const LOG_FILE = 'coordinator.log';

/** At this size it is emptied, and one older part is kept next to it. */
export const MAX_LOG_BYTES = 1024 * 1024;

/** Keeps the log, which is this process's standard error, from growing without limit. */
export function boundLog(file: string): void {
  try {
    const descriptor = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      if (fstatSync(descriptor).size <= MAX_LOG_BYTES) return;
      copyFileSync(file, `${file}.1`);
      // All writers append.
      ftruncateSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The folder was removed or the disk is full: ignored.
  }
}
