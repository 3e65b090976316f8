import { type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type NamedFiles, programFileAt, programFilesBelow } from '@signalbox/core';
import { bytesAt } from '../git/bytes-at.ts';
import { type Standing, statsOf, toStanding } from '../overlay/standing.ts';
import { createTurns } from '../turns.ts';

/** A name that decides which code runs outside of the sandbox, as it stands now. */
export type WatchedName = {
  readonly standing: Standing;
  /** Content of a small file or of an index of git, target of a link; null for anything else. */
  readonly content: Buffer | null;
  /** It has a second name (hard link), by which it can be written where this one is read-only. */
  readonly isShared: boolean;
};

export type WatchedNames = {
  /** Inodes of the folders that were looked at. */
  readonly folders: ReadonlyMap<string, { readonly inode: number }>;
  readonly names: ReadonlyMap<string, WatchedName>;
  /** False where the workspace has more folders or such names than are looked at. */
  readonly isWhole: boolean;
};

/** Larger files can not be put back; settings are small. */
const MAX_CONTENT_BYTES = 256 * 1024;
const MAX_KEPT_BYTES = 32 * 1024 ** 2;
const MAX_FOLDERS = 20_000;
const MAX_NAMES = 50_000;
const MAX_INDEX_BYTES = 64 * 1024 ** 2;
/** A folder changed more recently than this may change again without its time telling. */
const SETTLED_MS = 100;

/** Of these only the programs are looked at: the rest are too many. */
const PACKAGES = 'node_modules';
const PROGRAMS = '.bin';
/** What makes a folder a repository, and what git reads there. */
const PARTS: ReadonlySet<string> = new Set([
  'HEAD',
  'objects',
  'refs',
  'commondir',
  'config',
  'config.worktree',
  'hooks',
]);
/** Folders of a repository whose content is data alone. */
const DATA: ReadonlySet<string> = new Set(['refs', 'logs', 'lfs', 'rr-cache', 'lost-found']);
const INDEX = /(?:^|\/)(?:shared)?index(?:\.\w+)?$/;

type Folder = {
  readonly inode: number;
  readonly changedAt: number;
  readonly folders: readonly string[];
  readonly names: readonly string[];
};

type Options = {
  /** Absolute and real. */
  readonly workspace: string;
  /** Our own, which is not looked at. */
  readonly stateFolder: string;
  /** Default 20,000. */
  readonly mostFolders?: number | undefined;
};

/**
 * Lists what programs of the person read as settings or code, what of git's own files does, and what makes a folder a
 * repository; of `node_modules` only its `.bin`. It remembers folders and contents by inode and time of change, so that a
 * further look costs one `lstat` for each.
 */
export function createWatchedNames({
  workspace,
  stateFolder,
  mostFolders = MAX_FOLDERS,
}: Options): (named: NamedFiles) => Promise<WatchedNames> {
  let folders = new Map<string, Folder>();
  let names = new Map<string, WatchedName>();
  let namedBefore = '';

  return async (named) => {
    const key = JSON.stringify(named);
    if (key !== namedBefore) folders = new Map();
    namedBefore = key;
    const turn = createTurns();
    const seen = new Map<string, Folder>();
    const found = new Map<string, WatchedName>();
    let keptBytes = 0;
    // In breadth: what a command hides deep in very many folders is what is left out.
    const waiting = [''];
    for (const path of waiting) {
      if (seen.size >= mostFolders || found.size > MAX_NAMES) break;
      const folder = lookInto(path, named);
      await turn();
      if (folder === null) continue;
      seen.set(path, folder);
      for (const below of folder.folders) waiting.push(below);
      for (const name of folder.names) {
        await turn();
        const watched = lookAt(name, keptBytes);
        if (watched === null) continue;
        found.set(name, watched);
        // An index is bounded by itself.
        if (!INDEX.test(name)) keptBytes += watched.content?.length ?? 0;
      }
    }
    const isWhole = seen.size < mostFolders && found.size <= MAX_NAMES;
    [folders, names] = [seen, found];
    return { names: found, folders: seen, isWhole };
  };

  function lookInto(path: string, named: NamedFiles): Folder | null {
    const absolute = join(workspace, path);
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true) return null;
    const { ino: inode, ctimeMs: changedAt } = stats;
    const known = folders.get(path);
    if (known?.inode === inode && known.changedAt === changedAt) return known;
    const sorted = sort(path, entriesOf(absolute), named);
    const isSettled = Date.now() - changedAt > SETTLED_MS;
    return { inode, changedAt: isSettled ? changedAt : Number.NaN, ...sorted };
  }

  function sort(
    parent: string,
    entries: readonly Dirent[],
    named: NamedFiles,
  ): Pick<Folder, 'folders' | 'names'> {
    const found: Pick<Folder, 'folders' | 'names'> & { folders: string[]; names: string[] } = {
      folders: [],
      names: [],
    };
    const segments = parent.toLowerCase().split('/');
    const isInGit = segments.includes('.git');
    const of = segments.at(-1) ?? '';
    for (const entry of entries) {
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isFolder && join(workspace, path) === stateFolder) continue;
      if (isInGit) {
        const isData = of === 'objects' && entry.name !== 'info';
        if (isData) continue;
        found.names.push(path);
        if (isFolder && !DATA.has(entry.name)) found.folders.push(path);
        continue;
      }
      if (of === PACKAGES && entry.name !== PROGRAMS) continue;
      if (isFolder) found.folders.push(path);
      const isProgram = entry.isSymbolicLink()
        ? programFilesBelow(path, named) !== undefined
        : programFileAt(path, named) !== undefined;
      const isGit =
        entry.name.toLowerCase() === '.git' || PARTS.has(entry.name) || (of === 'hooks' && !isFolder);
      if (isGit || isProgram) found.names.push(path);
    }
    return found;
  }

  function lookAt(path: string, keptBytes: number): WatchedName | null {
    const absolute = join(workspace, path);
    const stats = statsOf(absolute);
    if (stats === null) return null;
    const standing = toStanding(stats);
    const isShared = standing.kind === 'file' && stats.nlink > 1n;
    const known = names.get(path);
    if (known !== undefined && isSame(known.standing, standing)) return known;
    const isIndex = standing.kind === 'file' && path.split('/').includes('.git') && INDEX.test(path);
    const index = isIndex ? bytesAt(absolute, MAX_INDEX_BYTES) : null;
    if (index !== null) return { standing, content: index, isShared };
    const content = keptBytes < MAX_KEPT_BYTES ? contentAt(absolute, standing) : null;
    return { standing, content, isShared };
  }
}

/** Whether nobody changed it in between, in whatever way. */
export function isSame(one: Standing, other: Standing): boolean {
  return (
    one.kind === other.kind &&
    one.ino === other.ino &&
    one.ctimeNs === other.ctimeNs &&
    one.bytes === other.bytes
  );
}

function contentAt(path: string, { kind }: Standing): Buffer | null {
  if (kind === 'file') return bytesAt(path, MAX_CONTENT_BYTES);
  try {
    return kind === 'link' ? readlinkSync(path, { encoding: 'buffer' }) : null;
  } catch {
    return null;
  }
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
