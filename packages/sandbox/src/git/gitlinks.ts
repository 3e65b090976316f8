import { entriesOfIndex } from './index-entries.ts';

const GITLINK = 0o160000;

/**
 * The paths that an index of git lists as repositories of their own: in each of them git reads the configuration that
 * stands there. Null where it can't be read.
 */
export function linksInIndex(index: Buffer): readonly string[] | null {
  const listed = entriesOfIndex(index)?.entries;
  return listed?.flatMap(({ mode, path }) => (mode === GITLINK ? [path] : [])) ?? null;
}
