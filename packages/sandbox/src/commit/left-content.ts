import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { type StandingEntry, standingAt } from '../overlay/standing.ts';
import type { Content } from './journal.ts';
import { hashOfFile, type Staged } from './stage.ts';

/** More is a build, and nobody puts that back by hand file by file. */
const MAX_FILES = 5000;
/** Larger files are told by their stamp alone: they are read whole each time that their stamp differs. */
const MAX_BYTES = 64 * 1024 ** 2;

/** Of what a commit has put, from what stands there now; null where nothing is kept of it. */
export function putContent(
  at: StandingEntry | null,
  path: string,
  staged: ReadonlyMap<string, Staged>,
): Content | null {
  const of = staged.get(path);
  if (at === null || of === undefined || staged.size > MAX_FILES || at.bytes > MAX_BYTES) return null;
  return `${headOf(at)} ${of.hash}`;
}

/** Whether what stands at a path on the host has this content. */
export async function hasContent(at: string, content: Content): Promise<boolean> {
  const now = standingAt(at);
  if (now === null || !content.startsWith(`${headOf(now)} `)) return false;
  try {
    return content === `${headOf(now)} ${now.kind === 'link' ? hashOfLink(at) : await hashOfFile(at)}`;
  } catch {
    // It vanished, or we may not read it.
    return false;
  }
}

function headOf({ kind, mode, bytes }: StandingEntry): string {
  return `${kind} ${mode.toString(8)} ${bytes}`;
}

function hashOfLink(at: string): string {
  return createHash('sha256').update(readlinkSync(at)).digest('hex');
}
