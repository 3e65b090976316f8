import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { type CommandId, type Logger, UnavailableError } from '@signalbox/core';
import { type AuditEntry, AuditLine, chain, GENESIS } from './audit-line.ts';

export type AuditLog = {
  /**
   * Appends one line and answers when it is in the file: durable against the death of this process at once,
   * against the loss of power within a second.
   *
   * @throws {UnavailableError} `audit-unavailable` when it can't be written. The entry is kept and written
   * first at the next append; until then nothing new may be accepted.
   */
  append(entry: AuditEntry): void;
  /** Writes what could not be written before. True when nothing is left. */
  flush(): boolean;
  /** The last line of that command among the last MiB: what a crash left settled in the audit alone. */
  findRecent(id: CommandId): AuditLine | undefined;
  close(): void;
};

const TAIL_BYTES = 1024 * 1024;
const SYNC_EVERY_MS = 1000;

/**
 * Opens `audit.jsonl` for appending: one line for every command, hash-chained, never rewritten (N1–N3).
 *
 * A line that a crash cut off stays where it is, closed by a newline; the chain goes on from the line before.
 */
export function openAuditLog(file: string, logger: Logger, now: () => number): AuditLog {
  const fd = openSync(file, 'a+', 0o600);
  const tail = readTail(fd);
  const recent = new Map(tail.lines.map((line) => [line.command_id, line]));
  let last = tail.lines.at(-1)?.hash ?? GENESIS;
  let syncedAt = now();
  const unwritten: AuditEntry[] = [];
  /** Whether the file ends inside a line: a crash or a full disk cut it off. */
  let torn = tail.torn;

  function write(entry: AuditEntry): void {
    const line = chain(entry, last);
    const bytes = Buffer.from(`${torn ? '\n' : ''}${JSON.stringify(line)}\n`);
    for (let written = 0; written < bytes.length; torn = written < bytes.length) {
      written += writeSync(fd, bytes, written);
    }
    last = line.hash;
  }

  function flush(): boolean {
    try {
      for (let entry = unwritten[0]; entry !== undefined; entry = unwritten[0]) {
        write(entry);
        unwritten.shift();
      }
      return true;
    } catch (error) {
      logger.error({ file, error }, 'audit line not written');
      return false;
    }
  }

  return {
    append(entry) {
      unwritten.push(entry);
      if (!flush()) {
        throw new UnavailableError('audit-unavailable', `Cannot write the audit log "${file}"`, {
          next: ['free space on the disk, or make the file writable: work goes on by itself then'],
        });
      }
      if (now() - syncedAt >= SYNC_EVERY_MS) {
        fsyncSync(fd);
        syncedAt = now();
      }
    },
    flush,
    findRecent: (id) => recent.get(id),
    close() {
      fsyncSync(fd);
      closeSync(fd);
    },
  };
}

function readTail(fd: number): { lines: AuditLine[]; torn: boolean } {
  const { size } = fstatSync(fd);
  const length = Math.min(size, TAIL_BYTES);
  const bytes = Buffer.alloc(length);
  readSync(fd, bytes, 0, length, size - length);
  const text = bytes.toString('utf8');
  const pieces = text.split('\n');
  const torn = pieces.pop() !== '';
  if (size > length) pieces.shift();
  return { lines: pieces.flatMap((piece) => parseLine(piece)), torn };
}

function parseLine(text: string): AuditLine[] {
  try {
    const parsed = AuditLine.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
