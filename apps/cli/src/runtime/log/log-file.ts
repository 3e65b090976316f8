import { closeSync, fstatSync, renameSync, statSync, writeSync } from 'node:fs';
import { openStateFile } from '../workspace/state-file.ts';

/** Whether lines reach the log file; reported on each change. */
export type LogFileState =
  | { readonly kind: 'not-written'; readonly file: string; readonly cause: unknown }
  /** Lines are written again, after this many were dropped. */
  | { readonly kind: 'written'; readonly file: string; readonly dropped: number };

export type LogFile = {
  /** Appends one line. Never throws: a line that can't be written is dropped and counted. */
  write(line: string): void;
};

/**
 * A file that several processes append to, each line in one write.
 *
 * When it exceeds `maxBytes` it is renamed to `….1`, replacing the previous one. The other processes follow to the new
 * file with their next line.
 *
 * @param options.onChanged called when the first line is dropped, and when a line is written again
 */
export function createLogFile(options: {
  readonly file: string;
  readonly maxBytes: number;
  readonly onChanged: (state: LogFileState) => void;
}): LogFile {
  const { file, maxBytes, onChanged } = options;
  let open: { readonly fd: number; readonly device: number; readonly inode: number } | undefined;
  /** A line that a full disk cut off is terminated before the next one. */
  let isTorn = false;
  let dropped = 0;

  function close(): void {
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
  }

  function reopen(): NonNullable<typeof open> {
    close();
    const fd = openStateFile(file, 'append');
    const { dev, ino } = fstatSync(fd);
    isTorn = false;
    return (open = { fd, device: dev, inode: ino });
  }

  /** The current file, rotated if it is full. */
  function current(): NonNullable<typeof open> {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && found.size > maxBytes && (open === undefined || isOpen(found))) {
      renameSync(file, `${file}.1`);
      return reopen();
    }
    return open !== undefined && found !== undefined && isOpen(found) ? open : reopen();
  }

  function isOpen({ dev, ino }: { readonly dev: number; readonly ino: number }): boolean {
    return open?.device === dev && open.inode === ino;
  }

  function append(line: string): void {
    const { fd } = current();
    const bytes = Buffer.from(isTorn ? `\n${line}` : line);
    const written = writeSync(fd, bytes);
    isTorn = written < bytes.length;
    if (isTorn) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
  }

  return {
    write(line) {
      try {
        append(line);
      } catch (cause) {
        dropped += 1;
        if (dropped === 1) onChanged({ kind: 'not-written', file, cause });
        return;
      }
      if (dropped === 0) return;
      const before = dropped;
      dropped = 0;
      onChanged({ kind: 'written', file, dropped: before });
    },
  };
}
