import { dirname, join, relative } from 'node:path';
import { bytesAt } from './bytes-at.ts';
import { type Hidden, isHiddenPath, existsIn } from './hidden-from-git.ts';
import { entriesOfIndex, type IndexEntry } from './index-entries.ts';
import { parseConfig } from './parse-config.ts';

export type Indices = {
  /** Absolute path with links resolved. */
  readonly workspace: string;
  /** The git folder of the index. */
  readonly folder: string;
  readonly before: Buffer | null;
  /** Null if it was removed. */
  readonly after: Buffer | null;
};

const MAX_TEXT_BYTES = 64 * 1024;

/**
 * Lists existing hidden files whose entries the index has lost: git treated them as deleted, and a commit would
 * delete them.
 */
export function lostHidden({ workspace, folder, before, after }: Indices, hidden: Hidden): readonly string[] {
  const old = before === null ? null : entriesOfIndex(before)?.entries;
  if (old == null || old.length === 0) return [];
  const root = rootOf(workspace, folder);
  if (root === null) return [];
  const listed = after === null ? [] : (entriesOfIndex(after)?.entries ?? []);
  const kept = new Set(listed.map(toLine));
  return old.flatMap((entry) => {
    const path = join(root, entry.path);
    const isLost = !kept.has(toLine(entry)) && isHiddenPath(path, hidden) && existsIn(workspace, path);
    return isLost ? [path] : [];
  });
}

function toLine({ path, id, mode, stage }: IndexEntry): string {
  return `${mode} ${id} ${stage} ${path}`;
}

/** The work tree's folder, relative to the workspace; null if outside. */
function rootOf(workspace: string, folder: string): string | null {
  const inner = /(?:^|\/)\.git\/(worktrees|modules)\/[^]/i.exec(folder)?.[1];
  if (inner === undefined) return dirname(folder);
  const text = (name: string): string =>
    bytesAt(join(workspace, folder, name), MAX_TEXT_BYTES)?.toString() ?? '';
  const named =
    inner === 'worktrees'
      ? dirname(text('gitdir').trim())
      : parseConfig(text('config')).find(([key]) => key === 'core.worktree')?.[1];
  if (named === undefined) return null;
  const root = relative(workspace, named.startsWith('/') ? named : join(workspace, folder, named));
  return root.startsWith('..') ? null : root;
}
