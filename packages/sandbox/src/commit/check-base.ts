import { readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { type CommitConflict, ContentHash } from '@signalbox/core';
import { type ExistingEntry, statAt } from '../overlay/file-stat.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { flatMapInTurns, type Turn } from '../turns.ts';
import { foldersAbove } from './disk/folders-above.ts';
import { type HostFolders, isUnreachable } from './disk/host-folders.ts';
import { hasLostNames } from './lost-names.ts';
import { parentOf, removedSince } from './kept/removed-since.ts';
import { hashOfFile, type Staged } from './disk/stage.ts';
import { toStamp } from './disk/swap.ts';

/** `gone`: others renamed or removed it. `may-be-gone`: they did so to it or to another name of its folder. */
export type ChangedPath = { readonly path: string; readonly how: 'changed' | 'gone' | 'may-be-gone' };

/**
 * Lists paths of a write set that are no longer what the command saw: their ctime is not before its start, they
 * differ from when the write set was read, or they are gone.
 */
export async function changedPaths(
  changes: readonly WriteSetChange[],
  folders: HostFolders,
  { since, commits }: { readonly since: bigint; readonly commits: string },
): Promise<ChangedPath[]> {
  const [made, removed] = [pathsOf(changes, 'make'), pathsOf(changes, 'remove')];
  const isAdded = (change: WriteSetChange): boolean =>
    !removed.has(change.path) && (change.op === 'make' || isNew(change));
  const taken = changes.some(isAdded) ? await removedSince(commits, since) : null;
  const gone = new Map<string, ChangedPath['how']>();
  for (const path of pathsOf(changes, 'gone')) gone.set(path, 'gone');
  const checked = new Map<string, boolean>();

  /** Checks whether a path the command adds existed when it started. */
  async function checkForGone(path: string, turn: Turn): Promise<void> {
    const from = taken?.above(path, folders) ?? null;
    if (from !== null) gone.set(from, 'gone');
    const folder = parentOf(path);
    if (from !== null || made.has(folder) || taken?.hasTakenFrom(folder) === true) return;
    const hasLost = checked.get(folder) ?? (await hasLostNames(folder, { folders, since, turn }));
    checked.set(folder, hasLost);
    if (hasLost && !gone.has(path)) gone.set(path, 'may-be-gone');
  }

  async function isChanged(change: WriteSetChange, turn: Turn): Promise<boolean> {
    const { op, path } = change;
    if (op === 'special' || op === 'gone') return false;
    const now = entryAt(path, folders);
    if ((now === null || now === 'unreachable') && isAdded(change)) await checkForGone(path, turn);
    // Its folder is gone.
    if (now === 'unreachable') return !foldersAbove(path).some((folder) => made.has(folder));
    // A directory that others created meanwhile serves as well.
    if (op === 'make') return !(now === null || now.kind === 'directory' || removed.has(path));
    if (isNew(change)) return !(now === null || removed.has(path));
    const { existing } = change;
    if (existing === null || now === null || toStamp(now) !== toStamp(existing)) return true;
    // Adding to a directory changes its time. Only the mode is ours.
    if (op === 'attributes' && existing.kind === 'directory') return false;
    if (op === 'remove') return changedWithin(folders.at(path), now, { since, turn });
    return now.ctimeNs >= since;
  }

  const changed = await flatMapInTurns(changes, async (change, turn) =>
    (await isChanged(change, turn)) ? [change.path] : [],
  );
  const outermost = [...gone].filter(([path]) => !foldersAbove(path).some((folder) => gone.has(folder)));
  return [
    ...outermost.map(([path, how]) => ({ path, how })),
    ...changed.filter((path) => !gone.has(path)).map((path) => ({ path, how: 'changed' as const })),
  ];
}

/** Whether it adds a file at a path that was free when the write set was read. */
function isNew(change: WriteSetChange): boolean {
  return change.op === 'put' && change.existing === null;
}

function pathsOf(changes: readonly WriteSetChange[], op: WriteSetChange['op']): Set<string> {
  return new Set(changes.flatMap((change) => (change.op === op ? [change.path] : [])));
}

/** Whether anything in a tree has changed. Adding or removing a name changes its directory. */
async function changedWithin(
  at: string,
  existing: ExistingEntry,
  options: { readonly since: bigint; readonly turn: Turn },
): Promise<boolean> {
  if (existing.ctimeNs >= options.since) return true;
  if (existing.kind !== 'directory') return false;
  for (const name of await readdir(at)) {
    await options.turn();
    const below = statAt(`${at}/${name}`);
    if (below === null || (await changedWithin(`${at}/${name}`, below, options))) return true;
  }
  return false;
}

function entryAt(path: string, folders: HostFolders): ExistingEntry | null | 'unreachable' {
  try {
    return statAt(folders.at(path));
  } catch (cause) {
    if (isUnreachable(cause)) return 'unreachable';
    throw cause;
  }
}

/** Both versions of a path, for users and models. */
export async function conflictAt(
  path: string,
  staged: ReadonlyMap<string, Staged>,
  folders: HostFolders,
): Promise<CommitConflict> {
  return { path, ours: staged.get(path)?.hash ?? null, theirs: await hashAt(path, folders) };
}

async function hashAt(path: string, folders: HostFolders): Promise<ContentHash | null> {
  const now = entryAt(path, folders);
  if (now === null || now === 'unreachable') return null;
  try {
    const at = folders.at(path);
    if (now.kind === 'file') return await hashOfFile(at);
    if (now.kind !== 'link') return null;
    return ContentHash.parse(createHash('sha256').update(readlinkSync(at)).digest('hex'));
  } catch {
    // It vanished, or we can't read it.
    return null;
  }
}
