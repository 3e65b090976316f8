import type { FileTouch } from '@signalbox/core';
import { diffLines } from 'diff';
import { bytesAt } from '../git/bytes-at.ts';
import { createTurns } from '../turns.ts';
import type { HostFolders } from './disk/host-folders.ts';
import type { Staged } from './disk/stage.ts';
import { stagedOf } from './disk/swap.ts';

/** Bounds on files and bytes. Nobody reads line counts beyond them, and counting would delay waiting commands. */
const MAX_FILES = 100;
const MAX_BYTES = 256 * 1024;
/** Above this many edits the text counts as fully replaced, as the work grows quadratically. */
const MAX_EDITS = 1000;

/**
 * Adds counts of added and removed lines to touches of texts. Call before anything is swapped.
 *
 * A file that can't be read as text has no counts, which does not prevent the commit. Git's own files have none either:
 * they are reported by name (`gitLinesOf`).
 */
export async function withLineCounts(
  touches: readonly FileTouch[],
  { folder, staged, folders }: { folder: string; staged: ReadonlyMap<string, Staged>; folders: HostFolders },
): Promise<readonly FileTouch[]> {
  if (touches.length > MAX_FILES) return touches;
  const turn = createTurns(1);
  const counted: FileTouch[] = [];
  for (const touch of touches) {
    if (touch.path.split('/').includes('.git')) {
      counted.push(touch);
      continue;
    }
    const own = staged.get(touch.path);
    const before = touch.kind === 'created' ? '' : textAt(() => folders.at(touch.path));
    const after = touch.kind === 'deleted' ? '' : textAt(() => own && stagedOf(folder, own.index));
    counted.push(before === null || after === null ? touch : { ...touch, ...countLines(before, after) });
    await turn();
  }
  return counted;
}

function countLines(before: string, after: string): Pick<FileTouch, 'linesAdded' | 'linesRemoved'> {
  const parts = diffLines(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { added: true, removed: false, count: linesOf(after) },
    { added: false, removed: true, count: linesOf(before) },
  ];
  const sum = (of: 'added' | 'removed'): number =>
    parts.filter((part) => part[of]).reduce((lines, { count }) => lines + count, 0);
  return { linesAdded: sum('added'), linesRemoved: sum('removed') };
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Null for a file that isn't text or can't be read. */
function textAt(find: () => string | undefined): string | null {
  try {
    const path = find();
    if (path === undefined) return null;
    const content = bytesAt(path, MAX_BYTES);
    return content === null || content.includes(0) ? null : content.toString('utf8');
  } catch {
    return null;
  }
}
