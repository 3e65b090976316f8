import { statAt } from '../overlay/file-stat.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { createTurns } from '../turns.ts';
import { type HostFolders, isUnreachable } from './disk/host-folders.ts';
import type { Content, Entry, Journal, Stamp } from './disk/journal.ts';
import { putContent } from './kept/put-content.ts';
import type { Staged } from './disk/stage.ts';
import { toStamp } from './disk/swap.ts';

/** Orders the steps of a swap. Permissions come last, since they may prevent changes in a directory. */
export async function entriesOf(
  changes: readonly WriteSetChange[],
  staged: ReadonlyMap<string, Staged>,
  folders: HostFolders,
): Promise<Entry[]> {
  let originals = staged.size;
  const steps: Entry[] = [];
  const last: Entry[] = [];
  const turn = createTurns();
  for (const change of changes) {
    await turn();
    const { path } = change;
    if (change.op === 'remove') {
      steps.push({ op: 'remove', path, index: originals++, before: toStamp(change.existing) });
    } else if (change.op === 'make') {
      if (isFolder(path, folders)) continue;
      steps.push({ op: 'make', path });
      last.push({ op: 'attributes', path, after: { mode: change.mode, mtimeNs: null }, before: null });
    } else if (change.op === 'put') {
      const of = staged.get(path);
      if (of === undefined) continue;
      const before = change.existing === null ? null : toStamp(change.existing);
      steps.push({ op: 'put', path, index: of.index, ino: of.ino, before });
    } else if (change.op === 'attributes') {
      const { mode, mtimeNs, existing } = change;
      const times = mtimeNs === null ? [null, null] : [`${mtimeNs}`, `${existing.mtimeNs}`];
      const [after = null, before = null] = times;
      last.push({
        op: 'attributes',
        path,
        after: { mode, mtimeNs: after },
        before: { mode: existing.mode, mtimeNs: before, stamp: toStamp(existing) },
      });
    }
  }
  return [...steps, ...last.toReversed()];
}

function isFolder(path: string, folders: HostFolders): boolean {
  try {
    return statAt(folders.at(path))?.kind === 'directory';
  } catch (cause) {
    // Below a path this commit removes first.
    if (isUnreachable(cause)) return false;
    throw cause;
  }
}

/** The stamp at each path after the commit. */
export async function leftBy(
  entries: readonly Entry[],
  staged: ReadonlyMap<string, Staged>,
  folders: HostFolders,
): Promise<Required<Pick<Journal, 'left' | 'contents'>>> {
  const left: Record<string, Stamp | null> = {};
  const contents: Record<string, Content> = {};
  const turn = createTurns();
  for (const { op, path } of entries) {
    await turn();
    const existing = op === 'remove' ? null : statAt(folders.at(path));
    left[path] = existing === null ? null : toStamp(existing);
    const content = op === 'put' ? putContent(existing, path, staged) : null;
    if (content !== null) contents[path] = content;
  }
  return { left, contents };
}
