import { closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import type { Turn } from '../turns.ts';

/** Whether two files, or two links, hold the same. */
export async function isSame(
  kind: 'file' | 'link',
  { one, other }: Readonly<Record<'one' | 'other', string>>,
  turn: Turn,
): Promise<boolean> {
  if (kind === 'link') return readlinkSync(one) === readlinkSync(other);
  const [left, right] = [openSync(one, 'r'), openForCompare(other)];
  try {
    return right !== null && (await isSameContent(left, right, turn));
  } finally {
    closeSync(left);
    if (right !== null) closeSync(right);
  }
}

/** Null when we may not read it: then it counts as another one. */
function openForCompare(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

async function isSameContent(left: number, right: number, turn: Turn): Promise<boolean> {
  const [one, other] = [Buffer.alloc(65_536), Buffer.alloc(65_536)];
  for (;;) {
    const length = readFully(left, one);
    if (readFully(right, other) !== length) return false;
    if (!one.subarray(0, length).equals(other.subarray(0, length))) return false;
    if (length < one.length) return true;
    await turn();
  }
}

function readFully(file: number, into: Buffer): number {
  let length = 0;
  for (;;) {
    const read = readSync(file, into, length, into.length - length, null);
    length += read;
    if (read === 0 || length === into.length) return length;
  }
}
