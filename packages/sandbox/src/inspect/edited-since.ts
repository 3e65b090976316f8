import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Not scanned: git's and our own files, and packages, which are not edited. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', '.signalbox', 'node_modules']);
const MAX_ENTRIES = 200_000;
const MAX_REPORTED = 20;

/** ctime in epoch ms, which can't be set back. */
type Entry = { readonly path: string; readonly changedAt: number; readonly isFolder: boolean };

/**
 * Lists paths of the workspace changed since a time, sorted, at most 20. A folder is listed for removals from
 * it. Scans at most 200,000 entries.
 *
 * @returns a function of epoch ms
 */
export function createEditedSince(workspace: string): (sinceMs: number) => Promise<readonly string[]> {
  return async (since) =>
    (await changedFrom(since, { workspace, isLeftOut: () => false }))
      .map(({ path }) => path)
      .toSorted()
      .slice(0, MAX_REPORTED);
}

/**
 * Lists files changed since a time, and when.
 *
 * @param options.isLeftOut Called with a file's path, or a folder's with a trailing `/`.
 * @param options.removed Paths that may be removed; those missing count with the last change of their folder.
 */
export async function filesEditedSince(
  sinceMs: number,
  options: {
    readonly workspace: string;
    readonly isLeftOut: (path: string) => boolean;
    readonly removed: readonly string[];
  },
): Promise<readonly { readonly path: string; readonly changedAt: number }[]> {
  const { workspace } = options;
  const files = (await changedFrom(sinceMs, options)).filter(({ isFolder }) => !isFolder);
  const removed = await Promise.all(
    options.removed.map(async (path) => {
      const isThere = (await changeOf(join(workspace, path))) !== null;
      return { path, changedAt: (isThere ? null : await changeOf(join(workspace, dirname(path)))) ?? 0 };
    }),
  );
  return [...files, ...removed.filter(({ changedAt }) => changedAt >= sinceMs)];
}

async function changedFrom(
  since: number,
  { workspace, isLeftOut }: { readonly workspace: string; readonly isLeftOut: (path: string) => boolean },
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const folders = ['.'];
  let left = MAX_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    const before = found.length;
    const entries = (await entriesOf(join(workspace, folder))).filter(({ name }) => !SKIPPED.has(name));
    left -= entries.length;
    const within = folder === '.' ? '' : `${folder}/`;
    const [inner, files] = [
      entries.filter((one) => one.isDirectory()),
      entries.filter((one) => !one.isDirectory()),
    ];
    folders.push(...inner.map(({ name }) => `${within}${name}`).filter((path) => !isLeftOut(`${path}/`)));
    const paths = files.map(({ name }) => `${within}${name}`).filter((path) => !isLeftOut(path));
    found.push(...(await Promise.all(paths.map((path) => entryAt(path, false)))).flat());
    // A new or renamed file is listed by its own name.
    if (found.length === before) found.push(...(await entryAt(folder, true)));
  }
  return found;

  async function entryAt(path: string, isFolder: boolean): Promise<readonly Entry[]> {
    const changedAt = await changeOf(join(workspace, path));
    return changedAt !== null && changedAt >= since ? [{ path, changedAt, isFolder }] : [];
  }
}

async function changeOf(path: string): Promise<number | null> {
  return (await lstat(path).catch(() => null))?.ctimeMs ?? null;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
