import type { Stamp } from './journal.ts';
import type { KeptCommit } from './kept-commits.ts';

/** Tells whether what stands at a path is a version that a commit left, also when an undo has put it there again. */
export type IsVersion = (path: string, now: Stamp | null, left: Stamp | null) => Promise<boolean>;

/** @param allKept All commits; asked once, when a stamp is another: that reads all journals. */
export function createIsVersion(allKept: () => Promise<readonly KeptCommit[]>): IsVersion {
  let origins: ReadonlyMap<string, Stamp> | null = null;
  return async (path, now, left) => {
    if (now === left) return true;
    origins ??= originsIn(await allKept());
    for (let stamp = now; stamp !== null; stamp = origins.get(keyOf(path, stamp)) ?? null) {
      if (stamp === left) return true;
    }
    return false;
  };
}

/** Of what undoing has put: which version that is, by the stamp that it had before. */
function originsIn(commits: readonly KeptCommit[]): Map<string, Stamp> {
  const origins = new Map<string, Stamp>();
  for (const { journal } of commits) {
    for (const [path, restored] of Object.entries(journal.restored ?? {})) {
      const left = journal.left?.[path] ?? null;
      if (left !== null && left !== restored) origins.set(keyOf(path, left), restored);
    }
  }
  return origins;
}

function keyOf(path: string, stamp: Stamp): string {
  return `${stamp}\0${path}`;
}
