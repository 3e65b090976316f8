import { lstatSync } from 'node:fs';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { createTurns } from '../turns.ts';

type Put = Extract<WriteSetChange, { op: 'put' }>;

/**
 * What all names of one file have in common; null of a file with a single name. The device is left out, since a layer and
 * what shows through it have two; an inode's number alone can come again in another layer.
 */
export function sharedBy({ kind, source }: Put): string | null {
  if (kind === 'link' || typeof source !== 'string') return null;
  const { nlink, ino, size, ctimeNs, mtimeNs } = lstatSync(source, { bigint: true });
  return nlink < 2n ? null : [ino, size, ctimeNs, mtimeNs].join(' ');
}

/** How large the files are that changes put, by their apparent sizes: holes count, further names of one file do not. */
export async function bytesPut(changes: readonly WriteSetChange[]): Promise<number> {
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
