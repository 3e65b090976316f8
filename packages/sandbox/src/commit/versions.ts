import type { Content, Journal, Stamp } from './journal.ts';
import type { KeptCommit } from './kept-commits.ts';
import { hasContent } from './left-content.ts';

/** Tells whether what stands at a path is a version that a commit left, also when an undo or a hand has put it there again. */
export type IsVersion = (path: string, now: Now, version: Version) => Promise<boolean>;

/** What stands at a path: its stamp, and where it is on the host. */
type Now = { readonly stamp: Stamp; readonly at: string } | null;
/** What a commit left at a path; its content where that is kept. */
export type Version = { readonly left: Stamp | null; readonly content: Content | null };

/** By path. A path that was made or changed is in `left`. */
export function versionOf({ left, contents }: Journal, path: string): Version {
  return { left: left?.[path] ?? null, content: contents?.[path] ?? null };
}

/** @param allKept All commits; asked once, when a stamp is another: that reads all journals. */
export function createIsVersion(allKept: () => Promise<readonly KeptCommit[]>): IsVersion {
  let origins: ReadonlyMap<string, Stamp> | null = null;
  return async (path, now, { left, content }) => {
    const standing = now?.stamp ?? null;
    if (standing === left) return true;
    if (now !== null && content !== null && (await hasContent(now.at, content))) return true;
    origins ??= originsIn(await allKept());
    for (let stamp = standing; stamp !== null; stamp = origins.get(keyOf(path, stamp)) ?? null) {
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
