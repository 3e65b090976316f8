import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { AuditLine, chainOf } from '@signalbox/coordinator';
import { auditFilesOf } from '../../runtime/audit-files.ts';

const NEWLINE = 0x0a;
/** Retries when a log was rotated during the read. */
const MAX_ATTEMPTS = 10;

/** What the first read needs: the last matching lines, at least this many from each log if there are that many. */
export type FirstRead = Readonly<{ limit: number; fits: (line: AuditLine) => boolean }>;

const EVERYTHING: FirstRead = { limit: Number.POSITIVE_INFINITY, fits: () => true };

/**
 * Reads the audit logs of a workspace with their archives as they grow: each call returns the complete lines since the
 * previous one, ordered by time. Lines cut off by a crash are left to `audit verify`.
 *
 * @param first Skips archives older than it needs. Default: everything is read.
 */
export function createAuditReader(
  workspace: string,
  first: FirstRead = EVERYTHING,
): () => readonly AuditLine[] {
  /** Bytes read of each file, whatever its name is by now: up to the end of a line. */
  const read = new Map<string, number>();
  let isFirst = true;

  function fresh(file: string, isPassed: boolean): readonly AuditLine[] {
    const fd = openIfThere(file);
    if (fd === undefined) return [];
    try {
      const { dev, ino, size } = fstatSync(fd);
      const id = `${dev} ${ino}`;
      const from = read.get(id) ?? 0;
      if (isPassed) read.set(id, size);
      if (isPassed || size <= from) return [];
      const bytes = Buffer.alloc(size - from);
      const length = readSync(fd, bytes, 0, bytes.length, from);
      const whole = bytes.subarray(0, bytes.subarray(0, length).lastIndexOf(NEWLINE) + 1);
      read.set(id, from + whole.length);
      return linesOf(whole.toString('utf8'));
    } finally {
      closeSync(fd);
    }
  }

  /** The newest file first: older ones are read only as far as needed. */
  function freshOf(log: string): readonly AuditLine[] {
    const { limit, fits } = isFirst ? first : EVERYTHING;
    const newestFirst: AuditLine[][] = [];
    let count = 0;
    for (const file of chainOf(log).toReversed()) {
      const lines = fresh(file, count >= limit).filter(fits);
      newestFirst.push(lines);
      count += lines.length;
    }
    return newestFirst.toReversed().flat();
  }

  return () => {
    const lines: AuditLine[] = [];
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const files = filesOf(workspace);
      lines.push(...auditFilesOf(workspace).flatMap(freshOf));
      isFirst = false;
      // A file archived meanwhile may have been written to before that.
      if (files === filesOf(workspace)) break;
    }
    return lines.toSorted((one, other) => (one.ts < other.ts ? -1 : Number(one.ts > other.ts)));
  };
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function filesOf(workspace: string): string {
  return auditFilesOf(workspace).flatMap(chainOf).join('\n');
}

function linesOf(text: string): readonly AuditLine[] {
  return text.split('\n').flatMap((row) => {
    try {
      const parsed = AuditLine.safeParse(JSON.parse(row));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}
