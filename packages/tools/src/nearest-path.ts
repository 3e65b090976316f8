import { type FileEntry, type Files, nearestWord, ToolFailure, visibleName } from '@signalbox/core';
import { pathsMeant } from './paths-meant.ts';

type Reader = Pick<Files, 'normalise' | 'list'>;

/** What a path may be of. */
export type WantedPath = 'file' | 'directory' | 'either';

/** Names of one folder that are compared. */
const MAX_NAMES = 1000;
/** Names that are looked at in all, and folders: a look at them takes some milliseconds. */
const MAX_WALKED = 5000;
const MAX_FOLDERS = 400;
const MAX_DEPTH = 12;

/** Of packages and builds: nobody means these, and they hold most of all names. */
const NOT_LOOKED_IN: ReadonlySet<string> = new Set(
  'node_modules vendor target dist build out deps _build coverage venv __pycache__ site-packages'.split(' '),
);

/** Does what may not find its file; a failure that says so names the ones that may have been meant. */
export async function namingNearest<Result>(
  path: string,
  { files, wanted = 'file' }: { readonly files: Reader; readonly wanted?: WantedPath },
  look: () => Promise<Result>,
): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ToolFailure) || error.code !== 'not-found') throw error;
    const nearest = await nearestPaths(files.normalise(path), files, wanted);
    if (nearest.length === 0) throw error;
    const { code, category, message } = error;
    const suggestion = `Did you mean ${nearest.map(visibleName).join(' or ')}?`;
    throw new ToolFailure({ code, category, message, suggestion, cause: error });
  }
}

/** Denied names are none that is ever listed. */
async function nearestPaths(path: string, files: Reader, wanted: WantedPath): Promise<readonly string[]> {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const beside = await entriesIn(folder, files, MAX_NAMES);
  const nearest = nearestWord(
    path,
    beside.map((entry) => entry.path),
  );
  return pathsMeant(path, { beside: nearest, all: await walk(files, wanted) });
}

/** All that is not hidden, the upper folders first, within bounds. */
async function walk(files: Reader, wanted: WantedPath): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = ['.'];
  let left = MAX_WALKED;
  for (let looked = 0; looked < Math.min(folders.length, MAX_FOLDERS) && left > 0; looked++) {
    const entries = await entriesIn(folders[looked] ?? '.', files, left);
    left -= entries.length;
    for (const { path, kind } of entries) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (name.startsWith('.')) continue;
      if (kind === wanted || wanted === 'either') found.push(path);
      const isDeep = path.split('/').length >= MAX_DEPTH;
      if (kind === 'directory' && !NOT_LOOKED_IN.has(name) && !isDeep) folders.push(path);
    }
  }
  return found;
}

/** None of a folder that is not there, or that may not be read. */
async function entriesIn(folder: string, files: Reader, limit: number): Promise<readonly FileEntry[]> {
  try {
    return (await files.list(folder, { limit })).entries;
  } catch (error) {
    if (error instanceof ToolFailure) return [];
    throw error;
  }
}
