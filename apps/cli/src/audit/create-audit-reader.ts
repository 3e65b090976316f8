import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { AuditLine } from '@signalbox/coordinator';
import { auditFilesOf } from '../place/audit-files.ts';

const NEWLINE = 0x0a;

/**
 * Reads the audit logs of a workspace as they grow: each call answers the whole lines since the one before, in order of
 * time. Lines that a crash cut off are left to `audit verify`.
 */
export function createAuditReader(workspace: string): () => readonly AuditLine[] {
  /** Of each file, how many bytes are read: up to the end of a line. */
  const read = new Map<string, number>();

  function fresh(file: string): string {
    const from = read.get(file) ?? 0;
    const bytes = bytesFrom(file, from);
    const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
    read.set(file, from + whole.length);
    return whole.toString('utf8');
  }

  return () =>
    auditFilesOf(workspace)
      .flatMap((file) => linesOf(fresh(file)))
      .toSorted((one, other) => (one.ts < other.ts ? -1 : Number(one.ts > other.ts)));
}

function bytesFrom(file: string, from: number): Buffer {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - from));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
  } finally {
    closeSync(fd);
  }
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
