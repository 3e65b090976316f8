import { closeSync, constants, fstatSync, fsync, fsyncSync, openSync, writeSync } from 'node:fs';
import { type Clock, type CommandId, type Logger, UnavailableError } from '@signalbox/core';
import { type AuditEntry, type AuditLine, GENESIS, writeLine } from './audit-line.ts';
import { type ChainEnd, readChainEnd, readChainEndOf } from './chain-end.ts';
import { rotateLog } from './rotate-log.ts';

export type AuditLog = {
  /**
   * Appends one line. When it returns, the line survives the death of this process; about a second later also a power
   * loss.
   *
   * @throws {UnavailableError} `audit-unavailable` if it can't be written. The line is kept and written first at the
   * next append; until then nothing new may be accepted.
   */
  append(entry: AuditEntry): void;
  /** Writes lines that failed before. True if none is left. */
  flush(): boolean;
  /** Why it can't be written now, in plain words; undefined if it can. */
  problem(): string | undefined;
  /** How the chain ended when it was opened. */
  readonly end: ChainEnd;
  /** The last line of that command within the last MiB: a crash may have left its end in the audit only. */
  findRecent(id: CommandId): AuditLine | undefined;
  /** Retries unwritten lines once, then closes. Closing twice does nothing. */
  close(): void;
};

const SYNC_AFTER_MS = 1000;

/**
 * Opens `audit.jsonl` for appending: one line per command, hash-chained, never rewritten (N1–N3). A log that would
 * exceed `maxBytes` becomes an archive beside it, and the chain continues in a new file.
 *
 * A line truncated by a crash stays and is closed by a newline. The chain continues from the line before it, and the
 * next line includes a hash of the remains. A line truncated by a full disk is completed.
 *
 * @throws {UnavailableError} `audit-unavailable`
 */
export function openAuditLog(
  file: string,
  logger: Logger,
  {
    clock,
    maxBytes = Number.POSITIVE_INFINITY,
  }: Readonly<{ clock: Pick<Clock, 'timer'>; maxBytes?: number }>,
): AuditLog {
  let fd = openForAppending(file);
  const end = readChainEnd(file, fd);
  const recent = new Map(end.lines.map((line) => [line.command_id, line]));
  let last = end.hash ?? GENESIS;
  /** The torn tail to close before the next line. */
  let { left } = end;
  let { size } = fstatSync(fd);
  let rotateOver = maxBytes;
  /** Missing bytes of lines that are not completely in the file. */
  const unwritten: Buffer[] = [];
  let cancelSync: (() => void) | undefined;
  let closed = false;

  function flush(): boolean {
    if (closed) return false;
    try {
      // A line written to a removed file could never be read.
      if (fstatSync(fd).nlink === 0) throw new Error('it was removed');
      for (let bytes = unwritten[0]; bytes !== undefined; bytes = unwritten[0]) {
        const written = writeSync(fd, bytes);
        size += written;
        if (written === bytes.length) unwritten.shift();
        else unwritten[0] = bytes.subarray(written);
      }
      return true;
    } catch (error) {
      logger.error({ file, error }, 'audit line not written');
      return false;
    }
  }

  /** Rotates between two complete lines. */
  function rotateBefore(bytes: number): void {
    if (size === 0 || size + bytes <= rotateOver || unwritten.length > 0 || left !== undefined) return;
    try {
      fd = rotateLog(file, fd);
      size = 0;
      rotateOver = maxBytes;
    } catch (error) {
      logger.error({ file, error }, 'audit log not rotated');
      rotateOver = size + maxBytes;
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
      const line = writeLine(entry, last, left?.torn);
      const bytes = Buffer.from(`${left?.newline ?? ''}${line.text}\n`);
      rotateBefore(bytes.length);
      last = line.hash;
      left = undefined;
      unwritten.push(bytes);
      if (!flush()) throw unavailable(file, 'it was removed, or a write failed: see the log');
      cancelSync ??= clock.timer(SYNC_AFTER_MS, sync);
    },
    flush,
    problem: () => (flush() ? undefined : 'the audit log cannot be written'),
    end,
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

/** The line of that command among the last lines of a log that has no writer any more. */
export function recentAuditLine(file: string, id: CommandId): AuditLine | undefined {
  return readChainEndOf(file).lines.findLast((line) => line.command_id === id);
}

/** A link in its place could lead into any file of this account. */
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

function openForAppending(file: string): number {
  try {
    return openSync(file, APPENDING, 0o600);
  } catch (cause) {
    throw unavailable(file, String(cause), { cause });
  }
}

function unavailable(
  file: string,
  why: string,
  { cause }: Readonly<{ cause?: unknown }> = {},
): UnavailableError {
  return new UnavailableError('audit-unavailable', `Cannot write the audit log "${file}": ${why}`, {
    cause,
    next: [
      'free space on the disk, or make the file writable: work then resumes by itself',
      'if the file was removed, restart this process',
    ],
  });
}
