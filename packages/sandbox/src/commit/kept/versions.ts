import type { Content, Journal, Stamp } from '../disk/journal.ts';
import type { KeptCommit } from './kept-commits.ts';
import { hasContent } from './put-content.ts';

/** Whether the file at a path is the version a commit left. An undo or a person may have restored it. */
export type IsVersion = (path: string, now: Now, version: Version) => Promise<boolean>;

/** The file at a path: its stamp, and its path on the host. */
type Now = { readonly stamp: Stamp; readonly at: string } | null;
/** What a commit left at a path, with its content where recorded. */
export type Version = { readonly left: Stamp | null; readonly content: Content | null };

/** Every created or changed path is in `left`. */
export function versionOf({ left, contents }: Journal, path: string): Version {
  return { left: left?.[path] ?? null, content: contents?.[path] ?? null };
}

/** @param allKept Returns all commits. Called at most once, if a stamp differs, since that reads all journals. */
export function createIsVersion(allKept: () => Promise<readonly KeptCommit[]>): IsVersion {
  let origins: ReadonlyMap<string, Stamp> | null = null;
  return async (path, now, { left, content }) => {
    const existing = now?.stamp ?? null;
    if (existing === left) return true;
    if (now !== null && content !== null && (await hasContent(now.at, content))) return true;
    origins ??= originsIn(await allKept());
    for (let stamp = existing; stamp !== null; stamp = origins.get(keyOf(path, stamp)) ?? null) {
      if (stamp === left) return true;
    }
    return false;
  };
}

/** The original stamp of each version restored by an undo. */
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
