import type { CommitConflict } from '@signalbox/core';
import { type ChangedPath, conflictAt } from './check-base.ts';
import type { HostFolders } from './disk/host-folders.ts';
import type { Staged } from './disk/stage.ts';

export type Conflict = {
  readonly kind: 'conflict';
  readonly conflicts: readonly CommitConflict[];
  readonly why: readonly string[];
};

const MAX_NAMED = 20;

/** What others changed meanwhile, with both versions, for people and models. */
export async function conflictOf(
  changed: readonly ChangedPath[],
  staged: ReadonlyMap<string, Staged>,
  folders: HostFolders,
): Promise<Conflict> {
  const conflicts: CommitConflict[] = [];
  const why: string[] = [];
  for (const { path, how } of changed.slice(0, MAX_NAMED)) {
    const conflicting = await conflictAt(path, staged, folders);
    conflicts.push(conflicting);
    why.push(how === 'changed' ? whyConflict(conflicting) : `${path}: ${WHY_GONE[how]}`);
  }
  const more = changed.length - conflicts.length;
  return { kind: 'conflict', conflicts, why: more === 0 ? why : [...why, `and ${more} more`] };
}

const WHY_GONE = {
  gone: 'removed or renamed while the command ran',
  'may-be-gone': 'removed or renamed while the command ran, or another name in its folder was',
};

function whyConflict({ path, ours, theirs }: CommitConflict): string {
  const named = (hash: string | null): string => (hash === null ? 'nothing' : `version ${hash.slice(0, 12)}`);
  return `${path}: the command left ${named(ours)}, but it is now ${named(theirs)}`;
}
