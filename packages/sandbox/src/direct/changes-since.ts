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
    const standing = before.get(path)?.standing;
    const isWithin = foldersAbove(path).some((folder) => removed.has(folder));
    return standing === undefined || isWithin ? [] : [{ op: 'remove', path, standing }];
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
  const { kind, mode, bytes, mtimeNs } = now.standing;
  if (was !== undefined && isSame(was.standing, now.standing)) return [];
  const isOther = was !== undefined && was.standing.kind !== kind;
  const removal: WriteSetChange[] = isOther ? [{ op: 'remove', path, standing: was.standing }] : [];
  if (kind === 'directory')
    return was === undefined || isOther ? [...removal, { op: 'make', path, mode }] : [];
  if (kind === 'special') return [...removal, { op: 'special', path, why: 'a FIFO, a socket or a device' }];
  const standing = isOther ? null : (was?.standing ?? null);
  if (standing !== null && isAlike(was, now))
    return standing.mode === mode ? [] : [{ op: 'attributes', path, mode, mtimeNs, standing }];
  return [
    ...removal,
    { op: 'put', path, kind, source: join(workspace, path), mode, bytes, mtimeNs, standing },
  ];
}

function isAlike(was: WatchedName | undefined, now: WatchedName): boolean {
  return was?.content != null && now.content !== null && was.content.equals(now.content);
}
