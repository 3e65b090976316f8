import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import type { Turn } from '../turns.ts';
import { type ExistingEntry, statAt, toFileStat } from './file-stat.ts';

/**
 * Returns the file or link of the workspace if its content equals that in a layer; null if it differs or can't
 * be compared. The returned entry describes exactly the compared content: it did not change while it was read.
 */
export async function sameContent(
  kind: 'file' | 'link',
  { layer, workspace }: Readonly<Record<'layer' | 'workspace', string>>,
  turn: Turn,
): Promise<ExistingEntry | null> {
  if (kind === 'link') return sameLink(layer, workspace);
  const other = openForCompare(workspace);
  if (other === null) return null;
  const own = openSync(layer, 'r');
  try {
    const before = fstatSync(other, { bigint: true });
    if (!before.isFile() || !(await isSameContent(own, other, { bytes: Number(before.size), turn })))
      return null;
    const after = fstatSync(other, { bigint: true });
    return before.ctimeNs === after.ctimeNs ? toFileStat(after) : null;
  } finally {
    closeSync(own);
    closeSync(other);
  }
}

function sameLink(layer: string, workspace: string): ExistingEntry | null {
  const before = statAt(workspace);
  if (before?.kind !== 'link' || readlinkSync(layer) !== readTarget(workspace)) return null;
  const after = statAt(workspace);
  return after?.ino === before.ino && after.ctimeNs === before.ctimeNs ? after : null;
}

/** Null if it is no longer a link. */
function readTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Null if unreadable: then it counts as different. */
function openForCompare(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** @param bytes size of one of them, from which the buffer is sized */
async function isSameContent(
  left: number,
  right: number,
  { bytes, turn }: { readonly bytes: number; readonly turn: Turn },
): Promise<boolean> {
  const room = Math.min(bytes + 1, MAX_BUFFER_BYTES);
  const [one, other] = [Buffer.alloc(room), Buffer.alloc(room)];
  for (;;) {
    const length = readFully(left, one);
    if (readFully(right, other) !== length) return false;
    if (!one.subarray(0, length).equals(other.subarray(0, length))) return false;
    if (length < one.length) return true;
    await turn();
  }
}

const MAX_BUFFER_BYTES = 65_536;

function readFully(file: number, into: Buffer): number {
  let length = 0;
  for (;;) {
    const read = readSync(file, into, length, into.length - length, null);
    length += read;
    if (read === 0 || length === into.length) return length;
  }
}
