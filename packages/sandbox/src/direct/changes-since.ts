import { join } from 'node:path';
import { foldersAbove } from '../commit/disk/folders-above.ts';
import { statAt } from '../overlay/file-stat.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { isSame, type WatchedName, type WatchedNames } from './watched-names.ts';

/** Changes of watched names between two snapshots, in the order of a write set. */
export function changesSince(
  workspace: string,
  { names: before }: WatchedNames,
  { names: after, unseen }: WatchedNames,
): readonly WriteSetChange[] {
  // A name that was not reached may still exist.
  const isGone = (path: string): boolean => unseen.length === 0 || !exists(join(workspace, path));
  const removed = new Set([...before.keys()].filter((path) => !after.has(path) && isGone(path)));
  const removals = [...removed].flatMap((path): WriteSetChange[] => {
    const existing = before.get(path)?.existing;
    const isWithin = foldersAbove(path).some((folder) => removed.has(folder));
    return existing === undefined || isWithin ? [] : [{ op: 'remove', path, existing }];
  });
  const others = [...after].flatMap(([path, now]) =>
    changeOf(workspace, path, { now, was: before.get(path) }),
  );
  return [...removals, ...others];
}

function exists(path: string): boolean {
  try {
    return statAt(path) !== null;
  } catch {
    return false;
  }
}

function changeOf(
  workspace: string,
  path: string,
  { now, was }: Readonly<{ now: WatchedName; was: WatchedName | undefined }>,
): readonly WriteSetChange[] {
  const { kind, mode, bytes, mtimeNs } = now.existing;
  if (was !== undefined && isSame(was.existing, now.existing)) return [];
  const isOther = was !== undefined && was.existing.kind !== kind;
  const removal: WriteSetChange[] = isOther ? [{ op: 'remove', path, existing: was.existing }] : [];
  if (kind === 'directory')
    return was === undefined || isOther ? [...removal, { op: 'make', path, mode }] : [];
  if (kind === 'special') return [...removal, { op: 'special', path, why: 'a FIFO, a socket or a device' }];
  const existing = isOther ? null : (was?.existing ?? null);
  if (existing !== null && isAlike(was, now))
    return existing.mode === mode ? [] : [{ op: 'attributes', path, mode, mtimeNs, existing }];
  return [
    ...removal,
    { op: 'put', path, kind, source: join(workspace, path), mode, bytes, mtimeNs, existing },
  ];
}

function isAlike(was: WatchedName | undefined, now: WatchedName): boolean {
  return was?.content != null && now.content !== null && was.content.equals(now.content);
}
