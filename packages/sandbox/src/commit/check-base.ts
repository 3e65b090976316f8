import { readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { type CommitConflict, ContentHash } from '@signalbox/core';
import { type Change, type Standing, standingAt } from '../overlay/write-set.ts';
import { flatMapInTurns, type Turn } from '../turns.ts';
import { foldersAbove } from './folders-above.ts';
import { type HostFolders, isUnreachable } from './host-folders.ts';
import { hashOfFile, type Staged } from './stage.ts';
import { toStamp } from './swap.ts';

/**
 * Paths of a write set that are no longer what the command saw: their time of change is not before its start,
 * or something else stands there than when its write set was read.
 */
export async function changedPaths(
  changes: readonly Change[],
  folders: HostFolders,
  since: bigint,
): Promise<string[]> {
  const pathsOf = (op: Change['op']): Set<string> =>
    new Set(changes.flatMap((change) => (change.op === op ? [change.path] : [])));
  const [made, removed] = [pathsOf('make'), pathsOf('remove')];
  return await flatMapInTurns(changes, async (change, turn) => {
    const now = lookAt(change.path, folders);
    // Its folder is gone.
    if (now === 'unreachable')
      return foldersAbove(change.path).some((folder) => made.has(folder)) ? [] : [change.path];
    if (change.op === 'special') return [];
    // A directory that somebody else has made meanwhile serves as well.
    if (change.op === 'make') {
      return now === null || now.kind === 'directory' || removed.has(change.path) ? [] : [change.path];
    }
    if (change.op === 'put' && change.standing === null) {
      return now === null || removed.has(change.path) ? [] : [change.path];
    }
    const { standing } = change;
    if (standing === null || now === null || toStamp(now) !== toStamp(standing)) return [change.path];
    // What is put into a directory changes its time; only its mode is ours.
    if (change.op === 'attributes' && standing.kind === 'directory') return [];
    if (change.op === 'remove')
      return (await changedWithin(folders.at(change.path), now, { since, turn })) ? [change.path] : [];
    return now.ctimeNs >= since ? [change.path] : [];
  });
}

/** Whether anything of a tree has changed: who adds or takes a name changes its directory. */
async function changedWithin(
  at: string,
  standing: Standing,
  look: { readonly since: bigint; readonly turn: Turn },
): Promise<boolean> {
  if (standing.ctimeNs >= look.since) return true;
  if (standing.kind !== 'directory') return false;
  for (const name of await readdir(at)) {
    await look.turn();
    const below = standingAt(`${at}/${name}`);
    if (below === null || (await changedWithin(`${at}/${name}`, below, look))) return true;
  }
  return false;
}

function lookAt(path: string, folders: HostFolders): Standing | null | 'unreachable' {
  try {
    return standingAt(folders.at(path));
  } catch (cause) {
    if (isUnreachable(cause)) return 'unreachable';
    throw cause;
  }
}

/** Both versions of a path, for people and models. */
export async function conflictAt(
  path: string,
  staged: ReadonlyMap<string, Staged>,
  folders: HostFolders,
): Promise<CommitConflict> {
  return { path, ours: staged.get(path)?.hash ?? null, theirs: await hashAt(path, folders) };
}

async function hashAt(path: string, folders: HostFolders): Promise<ContentHash | null> {
  const now = lookAt(path, folders);
  if (now === null || now === 'unreachable') return null;
  try {
    const at = folders.at(path);
    if (now.kind === 'file') return await hashOfFile(at);
    if (now.kind !== 'link') return null;
    return ContentHash.parse(createHash('sha256').update(readlinkSync(at)).digest('hex'));
  } catch {
    // It vanished, or we may not read it.
    return null;
  }
}
