import { createHash } from 'node:crypto';
import { ContentHash, type FileTouch } from '@signalbox/core';
import { bytesAt } from '../git/bytes-at.ts';

/** Larger files get no hash. */
const MAX_HASHED_BYTES = 16 * 1024 ** 2;

/** Files and links of a workspace by path, each with its mode and git hash. */
export type ListedTree = ReadonlyMap<string, string>;

/** Parses `git ls-files -z --stage`: mode, hash and stage, a tab, the path. */
export function toTreeListing(listed: string): ListedTree {
  const entries = listed.split('\0').filter((entry) => entry !== '');
  return new Map(
    entries.map((entry) => {
      const tab = entry.indexOf('\t');
      return [entry.slice(tab + 1), entry.slice(0, tab)];
    }),
  );
}

/** The changes between two trees, with hashes of the current files. */
export function touchesBetween(workspace: string, before: ListedTree, after: ListedTree): FileTouch[] {
  const touches: FileTouch[] = [];
  for (const [path, now] of after) {
    const was = before.get(path);
    if (was === now) continue;
    touches.push({
      path,
      kind: was === undefined ? 'created' : 'modified',
      hash: hashOf(`${workspace}/${path}`),
    });
  }
  for (const path of before.keys()) {
    if (!after.has(path)) touches.push({ path, kind: 'deleted', hash: null });
  }
  return touches.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Null for anything that isn't a file, or is too large. Does not follow links. */
function hashOf(path: string): ContentHash | null {
  const bytes = bytesAt(path, MAX_HASHED_BYTES);
  return bytes === null ? null : ContentHash.parse(createHash('sha256').update(bytes).digest('hex'));
}
