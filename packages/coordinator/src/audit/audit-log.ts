import { closeSync, fstatSync, fsync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { type Clock, type CommandId, type Logger, UnavailableError } from '@signalbox/core';
import { type AuditEntry, AuditLine, chain, GENESIS } from './audit-line.ts';

export type AuditLog = {
  /**
   * Appends one line and answers when it is in the file: durable against the death of this process at once,
   * against the loss of power about a second later.
   *
   * @throws {UnavailableError} `audit-unavailable` when it can't be written. The line is kept and written
   * first at the next append; until then nothing new may be accepted.
   */
  append(entry: AuditEntry): void;
  /** Writes what could not be written before. True when nothing is left. */
  flush(): boolean;
  /** Why it can't be written now, in plain words; undefined when it can. */
  problem(): string | undefined;
  /** The last line of that command among the last MiB: what a crash left settled in the audit alone. */
  findRecent(id: CommandId): AuditLine | undefined;
  /** Tries once more what could not be written. Closing twice does nothing. */
  close(): void;
};

const TAIL_BYTES = 1024 * 1024;
const SYNC_AFTER_MS = 1000;

/**
 * Opens `audit.jsonl` for appending: one line for every command, hash-chained, never rewritten (N1–N3).
 *
 * A line that a crash cut off stays where it is, closed by a newline; the chain goes on from the line before.
 * A line that a full disk cut off is written on from there.
 *
 * @throws {UnavailableError} `audit-unavailable`
 */
export function openAuditLog(file: string, logger: Logger, clock: Pick<Clock, 'timer'>): AuditLog {
  const fd = openForAppending(file);
  const tail = readTail(fd);
  const recent = new Map(tail.lines.map((line) => [line.command_id, line]));
  let last = tail.lines.at(-1)?.hash ?? GENESIS;
  /** Of lines that are not in the file yet: the bytes that are missing. */
  const unwritten: Buffer[] = tail.torn ? [Buffer.from('\n')] : [];
  let cancelSync: (() => void) | undefined;
  let closed = false;

  function flush(): boolean {
    if (closed) return false;
    try {
      // Nobody would ever read what is written now.
      if (fstatSync(fd).nlink === 0) throw new Error('it was removed');
      for (let bytes = unwritten[0]; bytes !== undefined; bytes = unwritten[0]) {
        const written = writeSync(fd, bytes);
        if (written === bytes.length) unwritten.shift();
        else unwritten[0] = bytes.subarray(written);
      }
      return true;
    } catch (error) {
      logger.error({ file, error }, 'audit line not written');
      return false;
    }
  }

  function sync(): void {
    cancelSync = undefined;
    fsync(fd, (error) => {
      if (error !== null && !closed) logger.error({ file, error }, 'audit log not synced');
    });
  }

  return {
    append(entry) {
      if (closed) throw unavailable(file, 'it is closed');
      const line = chain(entry, last);
      last = line.hash;
      unwritten.push(Buffer.from(`${JSON.stringify(line)}\n`));
      if (!flush()) throw unavailable(file, 'it was removed, or a write failed: see the log');
      cancelSync ??= clock.timer(SYNC_AFTER_MS, sync);
    },
    flush,
    problem: () => (flush() ? undefined : 'the audit log cannot be written'),
    findRecent: (id) => recent.get(id),
    close() {
      if (closed) return;
      if (!flush()) logger.error({ file, lines: unwritten.length }, 'audit lines lost at the end');
      closed = true;
      cancelSync?.();
      try {
        fsyncSync(fd);
      } catch (error) {
        logger.error({ file, error }, 'audit log not synced');
      }
      closeSync(fd);
    },
  };
}

/** The line of that command among the last ones of a log that nobody writes any more. */
export function recentAuditLine(file: string, id: CommandId): AuditLine | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    return readTail(fd).lines.findLast((line) => line.command_id === id);
  } finally {
    closeSync(fd);
  }
}

function openForAppending(file: string): number {
  try {
    return openSync(file, 'a+', 0o600);
  } catch (cause) {
    throw unavailable(file, String(cause), cause);
  }
}

function unavailable(file: string, why: string, cause?: unknown): UnavailableError {
  return new UnavailableError('audit-unavailable', `Cannot write the audit log "${file}": ${why}`, {
    cause,
    next: [
      'free space on the disk, or make the file writable: work goes on by itself then',
      'where the file was removed, stop this process and start it anew',
    ],
  });
}

/** The last lines: of the last MiB, or of more where one line is longer than that. */
function readTail(fd: number): { lines: readonly AuditLine[]; torn: boolean } {
  const { size } = fstatSync(fd);
  for (let length = TAIL_BYTES; ; length *= 8) {
    const bytes = readEnd(fd, size, Math.min(size, length));
    const pieces = bytes.toString('utf8').split('\n');
    const torn = pieces.at(-1) !== '';
    if (size > length) pieces.shift();
    const lines = pieces.flatMap(parseLine);
    if (lines.length > 0 || size <= length) return { lines, torn };
  }
}

function readEnd(fd: number, size: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const count = readSync(fd, bytes, read, length - read, size - length + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

function parseLine(text: string): AuditLine[] {
  try {
    const parsed = AuditLine.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
