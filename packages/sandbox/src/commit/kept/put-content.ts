import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { type ExistingEntry, statAt } from '../../overlay/file-stat.ts';
import type { Content } from '../disk/journal.ts';
import { hashOfFile, type Staged } from '../disk/stage.ts';

/** More is a build, which nobody restores by hand file by file. */
const MAX_FILES = 5000;
/** Larger files are compared by stamp only: comparing content reads the whole file each time the stamp differs. */
const MAX_BYTES = 64 * 1024 ** 2;

/** The content of a committed file, read from what is there now; null where none is recorded. */
export function putContent(
  at: ExistingEntry | null,
  path: string,
  staged: ReadonlyMap<string, Staged>,
): Content | null {
  const of = staged.get(path);
  if (at === null || of === undefined || staged.size > MAX_FILES || at.bytes > MAX_BYTES) return null;
  return `${headOf(at)} ${of.hash}`;
}

/** Whether the file at a host path has this content. */
export async function hasContent(at: string, content: Content): Promise<boolean> {
  const now = statAt(at);
  if (now === null || !content.startsWith(`${headOf(now)} `)) return false;
  try {
    return content === `${headOf(now)} ${now.kind === 'link' ? hashOfLink(at) : await hashOfFile(at)}`;
  } catch {
    // It vanished, or we can't read it.
    return false;
  }
}

function headOf({ kind, mode, bytes }: ExistingEntry): string {
  return `${kind} ${mode.toString(8)} ${bytes}`;
}

function hashOfLink(at: string): string {
  return createHash('sha256').update(readlinkSync(at)).digest('hex');
}
