import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SandboxError } from '@signalbox/core';
import { createTurns, type Turn } from '../turns.ts';
import type { IsDenied } from './default-denials.ts';
import type { ReadView } from './read-view.ts';
import { type Linked, secondNames } from './second-names.ts';

/** Not scanned: installed packages are too many, and a git branch may be named like a secret. */
export const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);
/** Scanned last, as they hold most of a large tree. */
const LARGE = new Set(['.hg', '.svn', '.venv', 'target', '_build']);
/** Python packages have code in folders named `secrets`. */
const PACKAGES = /(?:^|\/)(?:site|dist)-packages\//;
export const MAX_FOLDERS = 20_000;
/** Each is a mount, and all must fit into the arguments of a program. */
const MAX_LEFT_OUT = 5000;
/** A folder changed more recently may change again without a new mtime. */
const SETTLED_MS = 100;
/** Paths whose answer is kept. */
const MAX_JUDGED = 10_000;

/** Identity and ctime of a folder; unlike mtime, ctime can't be set. */
type Stamp = { readonly inode: number; readonly changedAt: number };

type Folder = Stamp & {
  readonly folders: readonly string[];
  readonly denied: readonly DeniedPath[];
  /** Paths the view leaves out. */
  readonly leftOut: readonly DeniedPath[];
  readonly sockets: readonly DeniedPath[];
  /** Read on the first search for second names. */
  linked: readonly Linked[] | null;
};

/** A socket is denied to commands without network access. */
export type DeniedPath = { readonly path: string; readonly kind: 'file' | 'directory' | 'socket' };

export type DeniedPaths = () => Promise<readonly DeniedPath[]>;

/**
 * Finds the paths of a workspace that must not be read: denied names, second names (hard links) of such files,
 * and paths the view leaves out. Folders are cached by stamp, so a second scan costs one `lstat` per folder.
 * Yields to the event loop in between.
 *
 * @throws {SandboxError} when the view leaves out more than can be masked
 */
export function createDeniedPaths(
  workspace: string,
  isDenied: IsDenied,
  viewNow: () => ReadView | null = () => null,
): DeniedPaths {
  let known = new Map<string, Folder>();
  let knownView: ReadView | null = null;
  let knownBasis: unknown;
  /** Answers by path, given under {@link knownBasis}: a changed folder mostly keeps its names. */
  let judged = new Map<string, boolean>();

  function isDeniedStill(path: string): boolean {
    // The rules may have changed since the walk began.
    const basis = isDenied.basis?.();
    if (basis === undefined || basis !== knownBasis) return isDenied(path, 'read');
    const ofBasis = judged;
    const answer = ofBasis.get(path) ?? isDenied(path, 'read');
    if (ofBasis.size >= MAX_JUDGED) ofBasis.clear();
    ofBasis.set(path, answer);
    return answer;
  }

  return async () => {
    const view = viewNow();
    const basis = isDenied.basis?.();
    if (view !== knownView || basis !== knownBasis) {
      // Dropped first: a walk that fails half-way must not leave answers of the old rules.
      known = new Map();
      judged = new Map();
      [knownView, knownBasis] = [view, basis];
    }
    const before = known;
    const turn = createTurns();
    const seen = new Map<string, Folder>();
    const waiting = [''];
    const last: string[] = [];
    const next = (): string | undefined => waiting.pop() ?? last.pop();
    for (let path = next(); path !== undefined; path = next()) {
      if (seen.size >= MAX_FOLDERS) {
        if (view !== null) throw tooMany(`the workspace has over ${MAX_FOLDERS} folders`);
        break;
      }
      const folder = scanFolder(path, before, view);
      await turn();
      if (folder === null) continue;
      seen.set(path, folder);
      for (const below of folder.folders) (isLarge(below) ? last : waiting).push(below);
    }
    // Another walk may have begun under other rules meanwhile.
    if (view === knownView && basis === knownBasis) known = seen;
    const denied = [...seen.values()].flatMap((folder) => folder.denied);
    const leftOut = [...seen.values()].flatMap((folder) => folder.leftOut);
    if (leftOut.length > MAX_LEFT_OUT) throw tooMany(`it leaves out over ${MAX_LEFT_OUT} files and folders`);
    const names = denied.map(({ path }) => path);
    const others = await secondNames(workspace, names, { folders: seen, turn });
    const sockets = [...seen.values()].flatMap((folder) => folder.sockets);
    return [...denied, ...leftOut, ...sockets, ...others.map((path) => ({ path, kind: 'file' }) as const)];
  };

  function scanFolder(
    path: string,
    before: ReadonlyMap<string, Folder>,
    view: ReadView | null,
  ): Folder | null {
    const absolute = join(workspace, path);
    const stamp = stampOf(absolute);
    if (stamp === null) return null;
    const remembered = before.get(path);
    if (remembered?.changedAt === stamp.changedAt && remembered.inode === stamp.inode) return remembered;
    const sorted = sort(path, entriesOf(absolute), { isDenied: isDeniedStill, view });
    const settled = Date.now() - stamp.changedAt > SETTLED_MS;
    return { ...stamp, changedAt: settled ? stamp.changedAt : Number.NaN, ...sorted, linked: null };
  }
}

function tooMany(why: string): SandboxError {
  return new SandboxError('Cannot keep programs to tools.file.allow_read', {
    isOfCommand: true,
    why: [why],
    next: ['List folders (src/**) rather than single files or patterns of names'],
  });
}

function isLarge(path: string): boolean {
  return LARGE.has(path.slice(path.lastIndexOf('/') + 1));
}

type Denials = { readonly isDenied: IsDenied; readonly view?: ReadView | null | undefined };

/** The first denied path: the file, or in a folder the first one found; null if none. */
export async function firstDenied(
  workspace: string,
  path: string,
  { isDenied, view, turn }: Denials & { readonly turn: Turn },
): Promise<string | null> {
  if (path.split('/').some((segment) => SKIPPED.has(segment)))
    return view?.showsFile(path) === false && view.showsOf(path) === 'none' ? path : null;
  if (isDenied(asJudged(path), 'read')) return path;
  const entries = await readdir(join(workspace, path), { withFileTypes: true }).catch(() => null);
  if (entries === null) return view?.showsFile(path) === false ? path : null;
  const folders: string[] = [];
  for (const entry of entries) {
    await turn();
    const { folders: below, denied, leftOut } = sort(path, [entry], { isDenied, view });
    const [first] = [...denied, ...leftOut];
    if (first !== undefined) return first.path;
    folders.push(...below);
  }
  for (const folder of folders) {
    const below = await firstDenied(workspace, folder, { isDenied, view, turn });
    if (below !== null) return below;
  }
  return null;
}

function sort(
  parent: string,
  entries: readonly Dirent[],
  { isDenied, view }: Denials,
): Pick<Folder, 'folders' | 'denied' | 'leftOut' | 'sockets'> {
  const folders: string[] = [];
  const denied: DeniedPath[] = [];
  const leftOut: DeniedPath[] = [];
  const sockets: DeniedPath[] = [];
  for (const entry of entries) {
    const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
    if (entry.isDirectory()) {
      const inside = asJudged(`${path}/any`);
      const shown = view?.showsOf(path) ?? 'all';
      if (isDenied(dirname(inside), 'read') || isDenied(inside, 'read'))
        denied.push({ path, kind: 'directory' });
      else if (shown === 'none') leftOut.push({ path, kind: 'directory' });
      else if (shown === 'some' || !SKIPPED.has(entry.name)) folders.push(path);
    } else if (isDenied(asJudged(path), 'read')) denied.push({ path, kind: 'file' });
    // Its server may be in another network namespace, where no list of sockets shows it.
    else if (entry.isSocket()) sockets.push({ path, kind: 'socket' });
    // The target of a link is masked itself.
    else if (!entry.isSymbolicLink() && view?.showsFile(path) === false) leftOut.push({ path, kind: 'file' });
  }
  return { folders, denied, leftOut, sockets };
}

/** The path without folders that only look like secrets. */
function asJudged(path: string): string {
  const packages = PACKAGES.exec(path);
  if (packages === null) return path;
  const start = packages.index + packages[0].length;
  return path.slice(0, start) + path.slice(start).replaceAll(/(?<=^|\/)secrets\//g, '');
}

function stampOf(path: string): Stamp | null {
  try {
    const { ino: inode, ctimeMs: changedAt } = lstatSync(path);
    return { inode, changedAt };
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
