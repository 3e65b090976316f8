import { entriesOfIndex } from './index-entries.ts';

const GITLINK = 0o160000;

/**
 * The paths an index lists as nested repositories; git reads the configuration in each of them. Null if the
 * index can't be read.
 */
export function linksInIndex(index: Buffer): readonly string[] | null {
  const listed = entriesOfIndex(index)?.entries;
  return listed?.flatMap(({ mode, path }) => (mode === GITLINK ? [path] : [])) ?? null;
}
