import type { Changed, ContentHash, FileTouch, ToolContext } from '@signalbox/core';
import { countLineChanges, countLines } from './line-changes.ts';
import { changeUnlessStale } from './stale-write.ts';

/**
 * Writes a whole file over the version that this session knows, and takes what it wrote as read.
 *
 * @throws {ToolFailure} `stale-write`
 */
export async function writeVersion(
  { path, text, expected }: { path: string; text: string; expected: 'absent' | ContentHash },
  context: ToolContext,
): Promise<Changed> {
  const changed = await changeUnlessStale(context, () => context.files.write(path, text, expected));
  context.readings.note(changed.path, { hash: changed.hash, text });
  return changed;
}

/** What a change says in a command's record; nothing when the file is as it was. */
export function touchesOf(changed: Changed, after: string | null): readonly FileTouch[] {
  if (changed.kind === 'unchanged') return [];
  return [{ path: changed.path, kind: changed.kind, hash: changed.hash, ...lineChanges(changed, after) }];
}

/** `src/cart.ts: created, +12 -0`, for the model. */
export function describeChange(changed: Changed, after: string | null): string {
  if (changed.kind === 'unchanged') return `${changed.path}: it holds exactly that text already`;
  const { linesAdded, linesRemoved } = lineChanges(changed, after);
  return `${changed.path}: ${changed.kind}, +${linesAdded} -${linesRemoved} lines`;
}

function lineChanges({ before }: Changed, after: string | null) {
  if (before === null) return { linesAdded: countLines(after ?? ''), linesRemoved: 0 };
  if (after === null) return { linesAdded: 0, linesRemoved: countLines(before) };
  return countLineChanges(before, after);
}
