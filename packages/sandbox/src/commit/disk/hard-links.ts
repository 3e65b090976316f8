import { lstatSync } from 'node:fs';
import type { WriteSetChange } from '../../overlay/write-set.ts';
import { createTurns } from '../../turns.ts';

type Put = Extract<WriteSetChange, { op: 'put' }>;

/**
 * A key shared by all names of a file; null for a file with a single name. The device is left out, as a layer
 * and the files seen through it have different ones. The inode number alone may recur in another layer.
 */
export function sharedBy({ kind, source }: Put): string | null {
  if (kind === 'link' || typeof source !== 'string') return null;
  const { nlink, ino, size, ctimeNs, mtimeNs } = lstatSync(source, { bigint: true });
  return nlink < 2n ? null : [ino, size, ctimeNs, mtimeNs].join(' ');
}

/** The apparent sizes of all files the changes write. Holes count, further names of a file don't. */
export async function bytesToWrite(changes: readonly WriteSetChange[]): Promise<number> {
  const seen = new Set<string>();
  let bytes = 0;
  const turn = createTurns();
  for (const change of changes) {
    if (change.op !== 'put' || change.kind === 'link') continue;
    const shared = sharedBy(change);
    await turn();
    if (shared === null || !seen.has(shared)) bytes += change.bytes;
    if (shared !== null) seen.add(shared);
  }
  return bytes;
}
