import { type FileEntry, type Files, nearestWord, ToolFailure, visibleName } from '@signalbox/core';
import { suggestPaths } from './suggest-paths.ts';

type Reader = Pick<Files, 'normalise' | 'list'>;

/** What a path should be. */
export type WantedPath = 'file' | 'directory' | 'either';

/** Upper bound on names compared in one folder. */
const MAX_NAMES = 1000;
/** Upper bounds on names and folders in total; reading them takes some milliseconds. */
const MAX_WALKED = 5000;
const MAX_FOLDERS = 400;
const MAX_DEPTH = 12;

/** Packages and builds: rarely meant, and they hold most names. */
const SKIPPED: ReadonlySet<string> = new Set(
  'node_modules vendor target dist build out deps _build coverage venv __pycache__ site-packages'.split(' '),
);

/** Runs an operation and adds suggestions to a not-found failure. */
export async function namingNearest<Result>(
  path: string,
  { files, wanted = 'file' }: { readonly files: Reader; readonly wanted?: WantedPath },
  operation: () => Promise<Result>,
): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof ToolFailure) || error.code !== 'not-found') throw error;
    const nearest = await nearestPaths(files.normalise(path), wanted, files);
    if (nearest.length === 0) throw error;
    const { code, category, message } = error;
    const suggestion = `Did you mean ${nearest.map(visibleName).join(' or ')}?`;
    throw new ToolFailure({ code, category, message, suggestion, cause: error });
  }
}

/** Denied names are never listed, so never suggested. */
async function nearestPaths(path: string, wanted: WantedPath, files: Reader): Promise<readonly string[]> {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const beside = await entriesIn(folder, MAX_NAMES, files);
  const nearest = nearestWord(
    path,
    beside.map((entry) => entry.path),
  );
  return suggestPaths(path, { beside: nearest, all: await walk(files, wanted) });
}

/** Lists everything not hidden, top folders first, within bounds. */
async function walk(files: Reader, wanted: WantedPath): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = ['.'];
  let left = MAX_WALKED;
  for (let listed = 0; listed < Math.min(folders.length, MAX_FOLDERS) && left > 0; listed++) {
    const entries = await entriesIn(folders[listed] ?? '.', left, files);
    left -= entries.length;
    for (const { path, kind } of entries) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (name.startsWith('.')) continue;
      if (kind === wanted || wanted === 'either') found.push(path);
      const isDeep = path.split('/').length >= MAX_DEPTH;
      if (kind === 'directory' && !SKIPPED.has(name) && !isDeep) folders.push(path);
    }
  }
  return found;
}

/** Empty if the folder is missing or unreadable. */
async function entriesIn(folder: string, limit: number, files: Reader): Promise<readonly FileEntry[]> {
  try {
    return (await files.list(folder, { limit })).entries;
  } catch (error) {
    if (error instanceof ToolFailure) return [];
    throw error;
  }
}
