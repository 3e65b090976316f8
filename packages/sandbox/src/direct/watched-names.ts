import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type NamedFiles, programFileAt, programFilesBelow } from '@signalbox/core';
import { codeOf } from '../files/file-failure.ts';
import { bytesAt } from '../git/bytes-at.ts';
import { type StandingEntry, statsOf, toStanding } from '../overlay/standing.ts';
import { createTurns } from '../turns.ts';

/** A name that decides which code runs outside of the sandbox, as it stands now. */
export type WatchedName = {
  readonly standing: StandingEntry;
  /** Content of a small file or of an index of git, target of a link; null for anything else. */
  readonly content: Buffer | null;
  /** File systems give the inode of a file that is gone to the next one. */
  readonly bornNs: bigint;
  /** It has a second name (hard link), by which it can be written where this one is read-only. */
  readonly isShared: boolean;
};

export type WatchedNames = {
  /** The folders that were looked at. */
  readonly folders: ReadonlyMap<string, { readonly inode: bigint; readonly bornNs: bigint }>;
  readonly names: ReadonlyMap<string, WatchedName>;
  /** What could not be looked at, and why, a sentence each: settings or code may lie there. */
  readonly unseen: readonly string[];
};

/** Larger files can not be put back. */
const MAX_CONTENT_BYTES = 4 * 1024 ** 2;
const MAX_KEPT_BYTES = 32 * 1024 ** 2;
const MAX_FOLDERS = 20_000;
const MAX_NAMES = 50_000;
/** Characters of a path that a sentence shows. */
const SHOWN_PATH = 80;
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
    const unseen: string[] = [];
    let keptBytes = 0;
    // In breadth: what a command hides deep in very many folders is what is left out.
    const waiting = [''];
    for (const path of waiting) {
      if (seen.size >= mostFolders || found.size > MAX_NAMES) break;
      const folder = unless(unseen, path, () => lookInto(path, named));
      await turn();
      if (folder === null) continue;
      seen.set(path, folder);
      unseen.push(...folder.unseen);
      for (const below of folder.folders) waiting.push(below);
      for (const name of folder.names) {
        await turn();
        const watched = unless(unseen, name, () => lookAt(name, keptBytes));
        if (watched === null) continue;
        found.set(name, watched);
        // An index is bounded by itself.
        if (!INDEX.test(name)) keptBytes += watched.content?.length ?? 0;
      }
    }
    if (seen.size >= mostFolders || found.size > MAX_NAMES) unseen.push(tooMany(seen, mostFolders));
    [folders, names] = [seen, found];
    return { names: found, folders: seen, unseen };
  };

  function lookInto(path: string, named: NamedFiles): Folder | null {
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

  function lookAt(path: string, keptBytes: number): WatchedName | null {
    const absolute = join(workspace, path);
    const stats = statsOf(absolute);
    if (stats === null) return null;
    const standing = toStanding(stats);
    const isShared = standing.kind === 'file' && stats.nlink > 1n;
    const known = names.get(path);
    if (known !== undefined && isSame(known.standing, standing)) return known;
    const isIndex = standing.kind === 'file' && path.split('/').includes('.git') && INDEX.test(path);
    // Some file systems don't know: there each change makes another one of it.
    const bornNs = stats.birthtimeNs === 0n ? stats.ctimeNs : stats.birthtimeNs;
    const index = isIndex ? bytesAt(absolute, MAX_INDEX_BYTES) : null;
    if (index !== null) return { standing, content: index, bornNs, isShared };
    const content = keptBytes < MAX_KEPT_BYTES ? contentAt(absolute, standing) : null;
    return { standing, content, bornNs, isShared };
  }
}

/** Of a folder that may have changed again at the same time: no time is the same. */
const UNSETTLED = -1n;

/** What can't be entered is passed over: programs of the person can't read it either. */
function unless<T>(unseen: string[], path: string, look: () => T | null): T | null {
  try {
    return look();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'EACCES') return null;
    unseen.push(unseenAt(path, code === 'ENAMETOOLONG' ? 'its path is too long' : (code ?? 'unknown')));
    return null;
  }
}

function unseenAt(path: string, why: string): string {
  const shown = path.length > SHOWN_PATH ? `${path.slice(0, SHOWN_PATH)}…` : path;
  return `${shown} can't be looked at (${why}): settings or code may lie there. ${REMOVE}`;
}

const NO_UTF8 = 'its name is not UTF-8';
const REMOVE = 'Remove it: until then each call that may write fails';

function tooMany(seen: ReadonlyMap<string, unknown>, mostFolders: number): string {
  const counts = new Map<string, number>();
  for (const path of seen.keys()) {
    const [top = ''] = path.split('/');
    if (top !== '.git') counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  const [most = ''] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return `The workspace has more folders than are looked at (${mostFolders}, most of them in "${most}"): settings or code may lie in the others. Remove some: until then each call that may write fails`;
}

/** Whether nobody changed it in between, in whatever way. */
export function isSame(one: StandingEntry, other: StandingEntry): boolean {
  return (
    one.kind === other.kind &&
    one.ino === other.ino &&
    one.ctimeNs === other.ctimeNs &&
    one.bytes === other.bytes
  );
}

function contentAt(path: string, { kind }: StandingEntry): Buffer | null {
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
