import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Turn } from '../turns.ts';
import type { IsDenied } from './default-denials.ts';

/** A look into installed packages is too dear, and a branch of git may be named like a secret. */
const SKIPPED = new Set(['node_modules', '.git']);
/** Most of a large tree is here, so the rest is looked at first. */
const LARGE = new Set(['.hg', '.svn', '.venv', 'target', '_build']);
/** Packages of Python have code in folders named `secrets`. */
const PACKAGES = /(?:^|\/)(?:site|dist)-packages\//;
const MAX_FOLDERS = 20_000;
/** A folder changed more recently than this may change again without its time telling. */
const SETTLED_MS = 100;

/** Which folder it is and how it was changed last; unlike the time of a change, nobody can set these. */
type Stamp = { readonly inode: number; readonly changedAt: number };

type Folder = Stamp & {
  readonly folders: readonly string[];
  readonly denied: readonly DeniedPath[];
};

export type DeniedPath = { readonly path: string; readonly kind: 'file' | 'directory' };

/**
 * Finds the names of a workspace that must not be read. It remembers each folder by its stamp, so that
 * a second look costs one `lstat` a folder.
 */
export function createDeniedPaths(workspace: string, isDenied: IsDenied): () => readonly DeniedPath[] {
  let known = new Map<string, Folder>();

  return () => {
    const seen = new Map<string, Folder>();
    const waiting = [''];
    const last: string[] = [];
    const next = (): string | undefined => waiting.pop() ?? last.pop();
    for (let path = next(); path !== undefined && seen.size < MAX_FOLDERS; path = next()) {
      const folder = lookInto(path);
      if (folder === null) continue;
      seen.set(path, folder);
      for (const below of folder.folders) (isLarge(below) ? last : waiting).push(below);
    }
    known = seen;
    return [...seen.values()].flatMap(({ denied }) => denied);
  };

  function lookInto(path: string): Folder | null {
    const absolute = join(workspace, path);
    const stamp = stampOf(absolute);
    if (stamp === null) return null;
    const before = known.get(path);
    if (before?.changedAt === stamp.changedAt && before.inode === stamp.inode) return before;
    const { folders, denied } = sort(path, entriesOf(absolute), isDenied);
    const settled = Date.now() - stamp.changedAt > SETTLED_MS;
    return { ...stamp, changedAt: settled ? stamp.changedAt : Number.NaN, folders, denied };
  }
}

function isLarge(path: string): boolean {
  return LARGE.has(path.slice(path.lastIndexOf('/') + 1));
}

/** What must not be read of a file, or of a folder and what lies in it: the first that is found, or null. */
export async function firstDenied(
  workspace: string,
  path: string,
  { isDenied, turn }: { readonly isDenied: IsDenied; readonly turn: Turn },
): Promise<string | null> {
  if (path.split('/').some((segment) => SKIPPED.has(segment))) return null;
  if (isDenied(asJudged(path), 'read')) return path;
  const entries = await readdir(join(workspace, path), { withFileTypes: true }).catch(() => []);
  const folders: string[] = [];
  for (const entry of entries) {
    await turn();
    const { folders: below, denied } = sort(path, [entry], isDenied);
    if (denied[0] !== undefined) return denied[0].path;
    folders.push(...below);
  }
  for (const folder of folders) {
    const below = await firstDenied(workspace, folder, { isDenied, turn });
    if (below !== null) return below;
  }
  return null;
}

function sort(
  parent: string,
  entries: readonly Dirent[],
  isDenied: IsDenied,
): Pick<Folder, 'folders' | 'denied'> {
  const folders: string[] = [];
  const denied: DeniedPath[] = [];
  for (const entry of entries) {
    const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
    if (entry.isDirectory()) {
      const inside = asJudged(`${path}/any`);
      if (isDenied(dirname(inside), 'read') || isDenied(inside, 'read'))
        denied.push({ path, kind: 'directory' });
      else if (!SKIPPED.has(entry.name)) folders.push(path);
    } else if (isDenied(asJudged(path), 'read')) denied.push({ path, kind: 'file' });
  }
  return { folders, denied };
}

/** The path, without folders that only look like secrets. */
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
