import { type BigIntStats, lstatSync } from 'node:fs';

export type Kind = 'file' | 'link' | 'directory' | 'special';

/** The entry at a name on the machine when the write set was read. */
export type ExistingEntry = {
  readonly kind: Kind;
  readonly ino: bigint;
  readonly ctimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly mode: number;
  readonly bytes: number;
};

/** Null if nothing is there. Does not follow links. */
export function statAt(path: string): ExistingEntry | null {
  const stats = statsOf(path);
  return stats === null ? null : toFileStat(stats);
}

export function toFileStat(stats: BigIntStats): ExistingEntry {
  const { ino, ctimeNs, mtimeNs } = stats;
  const [mode, bytes] = [Number(stats.mode) & 0o7777, Number(stats.size)];
  return { kind: kindOf(stats), ino, ctimeNs, mtimeNs, mode, bytes };
}

/** Null if nothing is there. Does not follow links. */
export function statsOf(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (cause) {
    // A part of its path is now a file.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOTDIR') return null;
    throw cause;
  }
}

export function kindOf(stats: BigIntStats): Kind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'special';
}
