import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type NamedFiles, programFileAt, programFilesBelow } from '@signalbox/core';
import { codeOf } from '../files/file-failure.ts';
import { bytesAt } from '../git/bytes-at.ts';
import { type ExistingEntry, statsOf, toFileStat } from '../overlay/file-stat.ts';
import { createTurns } from '../turns.ts';

/** The current state of a name that decides which code runs outside the sandbox. */
export type WatchedName = {
  readonly existing: ExistingEntry;
  /** Content of a small file or git index, or target of a link; null otherwise. */
  readonly content: Buffer | null;
  /** Birth time, as file systems reuse the inode of a deleted file. */
  readonly bornNs: bigint;
  /** Whether it has a second name (hard link), by which it could be written despite a read-only mount. */
  readonly isShared: boolean;
};

export type WatchedNames = {
  /** The scanned folders. */
  readonly folders: ReadonlyMap<string, { readonly inode: bigint; readonly bornNs: bigint }>;
  readonly names: ReadonlyMap<string, WatchedName>;
  /** Paths that could not be read and why, one sentence each. They may contain settings or code. */
  readonly unseen: readonly string[];
};

/** Larger files can't be restored. */
const MAX_CONTENT_BYTES = 4 * 1024 ** 2;
const MAX_KEPT_BYTES = 32 * 1024 ** 2;
const MAX_FOLDERS = 20_000;
const MAX_NAMES = 50_000;
/** Characters of a path shown in a sentence. */
const SHOWN_PATH = 80;
const MAX_INDEX_BYTES = 64 * 1024 ** 2;
/** A folder changed more recently may change again without a new mtime. */
const SETTLED_MS = 100;

/** Only the programs of packages are scanned; the rest are too many. */
const PACKAGES = 'node_modules';
const PROGRAMS = '.bin';
/** Names that make a folder a repository, and that git reads there. */
const PARTS: ReadonlySet<string> = new Set([
  'HEAD',
  'objects',
  'refs',
  'commondir',
  'config',
  'config.worktree',
  'hooks',
]);
/** Folders of a repository with data only. */
const DATA: ReadonlySet<string> = new Set(['refs', 'logs', 'lfs', 'rr-cache', 'lost-found']);
const INDEX = /(?:^|\/)(?:shared)?index(?:\.\w+)?$/;

type Folder = Sorted & {
  readonly inode: bigint;
  readonly bornNs: bigint;
  readonly changedNs: bigint;
};

type Sorted = {
  readonly folders: readonly string[];
  readonly names: readonly string[];
  readonly unseen: readonly string[];
};

type Options = {
  /** Absolute path with links resolved. */
  readonly workspace: string;
  /** Our own folder, which is not scanned. */
  readonly stateFolder: string;
  /** Upper bound on scanned folders. Default 20,000. */
  readonly maxFolders?: number | undefined;
};

/**
 * Lists the files that the user's programs and git read as settings or code, and those that make a folder a
 * repository; in `node_modules` only `.bin`. Folders and contents are cached by inode and ctime, so a further
 * scan costs one `lstat` each.
 */
export function createWatchedNames({
  workspace,
  stateFolder,
  maxFolders: mostFolders = MAX_FOLDERS,
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
    const unseen: string[] = [];
    let keptBytes = 0;
    // Breadth-first, so that the limit omits what a command hides deep in very many folders.
    const waiting = [''];
    for (const path of waiting) {
      if (seen.size >= mostFolders || found.size > MAX_NAMES) break;
      const folder = unless(unseen, path, () => scanFolder(path, named));
      await turn();
      if (folder === null) continue;
      seen.set(path, folder);
      unseen.push(...folder.unseen);
      for (const below of folder.folders) waiting.push(below);
      for (const name of folder.names) {
        await turn();
        const watched = unless(unseen, name, () => readName(name, keptBytes));
        if (watched === null) continue;
        found.set(name, watched);
        // An index has its own bound.
        if (!INDEX.test(name)) keptBytes += watched.content?.length ?? 0;
      }
    }
    if (seen.size >= mostFolders || found.size > MAX_NAMES) unseen.push(tooMany(seen, mostFolders));
    [folders, names] = [seen, found];
    return { names: found, folders: seen, unseen };
  };

  function scanFolder(path: string, named: NamedFiles): Folder | null {
    const absolute = join(workspace, path);
    const stats = statsOf(absolute);
    if (stats?.isDirectory() !== true) return null;
    const { ino: inode, ctimeNs: changedNs, birthtimeNs: bornNs } = stats;
    const known = folders.get(path);
    if (known?.inode === inode && known.changedNs === changedNs) return known;
    const sorted = sort(path, entriesOf(absolute), named);
    const isSettled = Date.now() - Number(stats.ctimeMs) > SETTLED_MS;
    return { inode, bornNs, changedNs: isSettled ? changedNs : UNSETTLED, ...sorted };
  }

  function sort(parent: string, entries: readonly Dirent<Buffer>[], named: NamedFiles): Sorted {
    const found = { folders: [] as string[], names: [] as string[], unseen: [] as string[] };
    const segments = parent.toLowerCase().split('/');
    const isInGit = segments.includes('.git');
    const of = segments.at(-1) ?? '';
    for (const entry of entries) {
      const name = entry.name.toString();
      const path = parent === '' ? name : `${parent}/${name}`;
      const isFolder = entry.isDirectory();
      if (isFolder && join(workspace, path) === stateFolder) continue;
      const isOdd = !isUtf8(entry.name);
      if (isInGit) {
        const isData = of === 'objects' && name !== 'info';
        if (isData) continue;
        if (isFolder && isOdd) found.unseen.push(unseenAt(path, NO_UTF8));
        if (isOdd) continue;
        found.names.push(path);
        if (isFolder && !DATA.has(name)) found.folders.push(path);
        continue;
      }
      if (of === PACKAGES && name !== PROGRAMS) continue;
      if (isFolder && !isOdd) found.folders.push(path);
      const isProgram = entry.isSymbolicLink()
        ? programFilesBelow(path, named) !== undefined
        : programFileAt(path, named) !== undefined;
      const isGit = name.toLowerCase() === '.git' || PARTS.has(name) || (of === 'hooks' && !isFolder);
      if (isOdd && (isFolder || isGit || isProgram)) found.unseen.push(unseenAt(path, NO_UTF8));
      else if (isGit || isProgram) found.names.push(path);
    }
    return found;
  }

  function readName(path: string, keptBytes: number): WatchedName | null {
    const absolute = join(workspace, path);
    const stats = statsOf(absolute);
    if (stats === null) return null;
    const existing = toFileStat(stats);
    const isShared = existing.kind === 'file' && stats.nlink > 1n;
    const known = names.get(path);
    if (known !== undefined && isSame(known.existing, existing)) return known;
    const isIndex = existing.kind === 'file' && path.split('/').includes('.git') && INDEX.test(path);
    // Some file systems have no birth time; there each change counts as a new file.
    const bornNs = stats.birthtimeNs === 0n ? stats.ctimeNs : stats.birthtimeNs;
    const index = isIndex ? bytesAt(absolute, MAX_INDEX_BYTES) : null;
    if (index !== null) return { existing, content: index, bornNs, isShared };
    const content = keptBytes < MAX_KEPT_BYTES ? contentAt(absolute, existing) : null;
    return { existing, content, bornNs, isShared };
  }
}

/** For a folder that may have changed again at the same time: equals no time. */
const UNSETTLED = -1n;

/** Skips folders without access: the user's programs can't read them either. */
function unless<T>(unseen: string[], path: string, read: () => T | null): T | null {
  try {
    return read();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'EACCES') return null;
    unseen.push(unseenAt(path, code === 'ENAMETOOLONG' ? 'its path is too long' : (code ?? 'unknown')));
    return null;
  }
}

function unseenAt(path: string, why: string): string {
  const shown = path.length > SHOWN_PATH ? `${path.slice(0, SHOWN_PATH)}…` : path;
  return `${shown} can't be read (${why}): it may contain settings or code.  ${REMOVE}`;
}

const NO_UTF8 = 'its name is not UTF-8';
const REMOVE = 'Remove it: until then each call that may write fails';

function tooMany(seen: ReadonlyMap<string, unknown>, maxFolders: number): string {
  const counts = new Map<string, number>();
  for (const path of seen.keys()) {
    const [top = ''] = path.split('/');
    if (top !== '.git') counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  const [commonest = ''] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return `The workspace has more folders than are checked (${maxFolders}, most of them in "${commonest}"): the others may contain settings or code.  Remove some: until then each call that may write fails`;
}

/** Whether a file is unchanged in every respect. */
export function isSame(one: ExistingEntry, other: ExistingEntry): boolean {
  return (
    one.kind === other.kind &&
    one.ino === other.ino &&
    one.ctimeNs === other.ctimeNs &&
    one.bytes === other.bytes
  );
}

function contentAt(path: string, { kind }: ExistingEntry): Buffer | null {
  if (kind === 'file') return bytesAt(path, MAX_CONTENT_BYTES);
  try {
    return kind === 'link' ? readlinkSync(path, { encoding: 'buffer' }) : null;
  } catch {
    return null;
  }
}

function entriesOf(path: string): Dirent<Buffer>[] {
  try {
    return readdirSync(path, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}
