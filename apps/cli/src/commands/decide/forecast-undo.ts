import type { CommandId } from '@signalbox/core';
import { withoutGit } from '../../views/changes-view.ts';
import type { ShownDiff } from '../../runtime/contract/file-diff.ts';
import type { Undoable } from './commands-to-undo.ts';

/** Why the undo of a command would fail: each file that is no longer as it left it. */
export type UndoFailure = Readonly<{ command: CommandId; why: readonly [string, ...string[]] }>;

/**
 * The first of these commands, the newest first, that could not be undone; null: all could. What a newer one of them
 * changed again is as it was when that is undone.
 */
export function forecastUndo(wanted: readonly Undoable[]): UndoFailure | null {
  const restored = new Set<string>();
  for (const { record, changes, inPart, isRest } of wanted) {
    // Of what is left after a part was undone, git's files are not put back.
    const [first, ...others] = (isRest ? withoutGit(changes) : changes)
      .filter(({ path, current }) => !current && path !== GIT_INDEX && !restored.has(path))
      .map((change) => `${change.path} was ${howChanged(change, inPart.has(change.path))} after it`);
    if (first !== undefined) return { command: record.id, why: [first, ...others] };
    for (const { path } of changes) restored.add(path);
  }
  return null;
}

/** The undo leaves it as it is where it has changed: every look that git takes may write it anew. */
const GIT_INDEX = '.git/index';

function howChanged({ byHand, deleted }: ShownDiff, isInPart: boolean): string {
  if (isInPart) return 'undone in part';
  if (!byHand) return 'changed';
  return deleted === true ? 'deleted by hand' : 'edited by hand';
}
