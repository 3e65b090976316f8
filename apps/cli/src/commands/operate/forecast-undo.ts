import type { CommandId } from '@signalbox/core';
import { withoutGit } from '../../views/command/changes-view.ts';
import type { ShownDiff } from '../../runtime/contract/file-diff.ts';
import type { Undoable } from './commands-to-undo.ts';

/** Why undoing a command would fail: each file that has changed since. */
export type UndoFailure = Readonly<{ command: CommandId; why: readonly [string, ...string[]] }>;

/**
 * The first of these commands, newest first, that could not be undone; null: all could. Files changed again by a newer
 * one count as they will be once that is undone.
 */
export function forecastUndo(wanted: readonly Undoable[]): UndoFailure | null {
  const restored = new Set<string>();
  for (const { record, changes, inPart, isRest } of wanted) {
    // After a partial undo, git's own files are not restored with the rest.
    const [first, ...others] = (isRest ? withoutGit(changes) : changes)
      .filter(({ path, current }) => !current && path !== GIT_INDEX && !restored.has(path))
      .map((change) => `${change.path} was ${howChanged(change, inPart.has(change.path))} afterwards`);
    if (first !== undefined) return { command: record.id, why: [first, ...others] };
    for (const { path } of changes) restored.add(path);
  }
  return null;
}

/** The undo keeps a changed index: git may rewrite it on any read. */
const GIT_INDEX = '.git/index';

function howChanged({ byHand, deleted }: ShownDiff, isInPart: boolean): string {
  if (isInPart) return 'partly undone';
  if (!byHand) return 'changed';
  return deleted === true ? 'deleted by hand' : 'edited by hand';
}
