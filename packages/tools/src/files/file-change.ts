import { type ChangedFile, type FileTouch, type ToolContext, visibleName } from '@signalbox/core';
import { countLineChanges, countLines, isWholeDiff } from './line-changes.ts';
import { changeUnlessStale, type RebasedWrite } from './stale-write.ts';

/**
 * Overwrites the version of a file this session knows, and marks the new text as read, unless it contains
 * changes of others too long to be shown.
 *
 * @throws {ToolFailure} `stale-write`
 */
export async function writeVersion(
  { path, text, expected, theirs }: RebasedWrite & { path: string },
  context: ToolContext,
): Promise<ChangedFile> {
  const changed = await changeUnlessStale(context, () => context.files.write(path, text, { expected }));
  if (theirs === undefined || isWholeDiff(theirs))
    context.readHashes.note(changed.path, { hash: changed.hash, text });
  return changed;
}

/** Empty if nothing was merged. */
export function describeMerge({ theirs }: RebasedWrite): string {
  if (theirs === undefined) return '';
  return `\nmerged with what others changed since you read it:\n${theirs.join('\n')}`;
}

/** The entry of a change in a command's record; none if the file is unchanged. */
export function touchesOf(changed: ChangedFile, after: string | null): readonly FileTouch[] {
  if (changed.kind === 'unchanged') return [];
  return [{ path: changed.path, kind: changed.kind, hash: changed.hash, ...lineChanges(changed, after) }];
}

/** `src/cart.ts: created, +12 -0`, for the model. */
export function describeChange(changed: ChangedFile, after: string | null): string {
  if (changed.kind === 'unchanged') return `${visibleName(changed.path)}: it already has exactly that text`;
  const { linesAdded, linesRemoved } = lineChanges(changed, after);
  return `${visibleName(changed.path)}: ${changed.kind}, +${linesAdded} -${linesRemoved} lines`;
}

function lineChanges({ before }: ChangedFile, after: string | null) {
  if (before === null) return { linesAdded: countLines(after ?? ''), linesRemoved: 0 };
  if (after === null) return { linesAdded: 0, linesRemoved: countLines(before) };
  return countLineChanges(before, after);
}
