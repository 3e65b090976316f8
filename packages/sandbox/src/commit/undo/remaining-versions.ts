import { addedObjects } from '../kept/added-objects.ts';
import { isAtAny } from '../disk/folders-above.ts';
import type { KeptCommit } from '../kept/kept-commits.ts';
import { type Version, versionOf } from '../kept/versions.ts';

/**
 * What all programs of a command left together, except for git objects, which an undo keeps. A later program
 * may have removed what an earlier one wrote, with its folder.
 */
export function remainingVersions(programs: readonly KeptCommit[]): ReadonlyMap<string, Version> {
  const left = new Map<string, Version>();
  for (const { journal } of programs) {
    const removed = new Set(journal.entries.flatMap(({ op, path }) => (op === 'remove' ? [path] : [])));
    if (removed.size > 0) for (const path of left.keys()) if (isAtAny(path, removed)) left.delete(path);
    const kept = addedObjects(journal);
    for (const path of Object.keys(journal.left ?? {}))
      if (!kept.has(path)) left.set(path, versionOf(journal, path));
  }
  return left;
}
