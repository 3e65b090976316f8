import { ToolFailure } from '../errors/errors.ts';
import type { FileEntry, Files } from '../ports/files.ts';
import { nearestWord } from '../settings/keys/nearest-word.ts';
import { suggestPaths } from './suggest-paths.ts';

type Reader = Pick<Files, 'list'>;

/** What a path should be. */
export type WantedPath = 'file' | 'directory' | 'either';

/** Upper bound on names compared in one folder. */
const MAX_NAMES = 1000;
/** Upper bounds on names and folders in total; reading them takes some milliseconds. */
const MAX_WALKED = 5000;
const MAX_FOLDERS = 400;
const MAX_DEPTH = 12;

/** Packages and builds: rarely meant, and they hold most names. */
const BUILT: ReadonlySet<string> = new Set(
  'node_modules vendor target dist build out deps _build coverage venv __pycache__ site-packages'.split(' '),
);

/** Whether a path is in a folder of packages or builds, which come and go. */
export function isBuilt(path: string): boolean {
  return path.split('/').some((name) => BUILT.has(name));
}

/**
 * Existing paths that a missing one may mean, best first. Denied names are never listed, so never suggested.
 *
 * @param path Normalised.
 * @param all Lists the names of the whole workspace. Default: {@link walkFiles}.
 */
export async function nearestPaths(
  path: string,
  {
    files,
    wanted,
    all = () => walkFiles(files, wanted),
  }: {
    readonly files: Reader;
    readonly wanted: WantedPath;
    readonly all?: () => Promise<readonly string[]>;
  },
): Promise<readonly string[]> {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const beside = await entriesIn(folder, MAX_NAMES, files);
  const nearest = nearestWord(
    path,
    beside.map((entry) => entry.path),
  );
  return suggestPaths(path, { beside: nearest, all: await all() });
}

/** Lists everything not hidden, top folders first, within bounds. */
export async function walkFiles(files: Reader, wanted: WantedPath): Promise<readonly string[]> {
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
      if (kind === 'directory' && !BUILT.has(name) && !isDeep) folders.push(path);
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
