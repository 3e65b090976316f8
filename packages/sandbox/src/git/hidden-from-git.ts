import { lstatSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultIsDenied } from '../denials/default-denials.ts';
import { SKIPPED } from '../denials/denied-paths.ts';
import type { ReadView } from '../denials/read-view.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import type { LayerRequest } from '../layers/layer.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { type ExistingEntry, statAt } from '../overlay/file-stat.ts';
import { bytesAt } from './bytes-at.ts';
import { type MarkedIndex, withMarks, withoutMarks } from './hidden-marks.ts';
import { entriesOfIndex } from './index-entries.ts';

/** Which files a command can't read. */
export type Hidden = {
  readonly isMasked: (path: string) => boolean;
  /** Paths denied by its profile only. */
  readonly byProfile: ((path: string) => boolean) | undefined;
  /** The only paths it can read; null for no such limit. */
  readonly view: ReadView | null;
  /** Identifies the current policy. */
  readonly basis: unknown;
};

/** The paths denied to all commands. */
export type Denials = Pick<ExecutorOptions, 'isDenied' | 'readView'>;

/** Adds the paths denied by one command's profile. */
export function hiddenFrom(
  { isDenied: byProfile }: Pick<LayerRequest, 'isDenied'>,
  { isDenied = defaultIsDenied, readView }: Denials,
): Hidden {
  return {
    isMasked: (path) => isDenied(path, 'read') || byProfile?.(path) === true,
    byProfile,
    view: readView?.() ?? null,
    basis: isDenied.basis?.(),
  };
}

/** A command's index with hidden files marked. */
export type MarkedView = {
  /** Call when the command is dead: removes the marks, and drops an index it did not change. */
  readonly unmark: () => (changes: readonly WriteSetChange[]) => WriteSetChange[];
};

const INDEX = '.git/index';
const MAX_INDEX_BYTES = 64 * 1024 ** 2;
const UNREADABLE =
  'it cannot be read as a complete git index, and some of its files are hidden from commands';
const EMPTY: readonly string[] = [];

/**
 * Keeps git from treating hidden files as deleted: in the command's layer the index marks each of them as to be
 * left alone. Only existing files are marked, so real deletions count.
 */
export function createHiddenFromGit(
  workspace: string,
): (merged: string, hidden: Hidden) => MarkedView | null {
  let known:
    | (Hidden & {
        readonly existing: ExistingEntry;
        readonly paths: readonly string[];
        /** By path of the index: a new commit leaves most paths unchanged. */
        readonly judged: ReadonlyMap<string, boolean>;
      })
    | null = null;

  function hiddenIn(existing: ExistingEntry, hidden: Hidden): readonly string[] {
    const isAlike =
      known?.view === hidden.view && known.byProfile === hidden.byProfile && known.basis === hidden.basis;
    if (known !== null && isAlike && isSameIndex(known.existing, existing)) return known.paths;
    const index = bytesAt(join(workspace, INDEX), MAX_INDEX_BYTES);
    const entries = (index === null ? null : entriesOfIndex(index)?.entries) ?? [];
    // A policy that does not identify its version may answer differently each time.
    const before = isAlike && hidden.basis !== undefined ? known?.judged : undefined;
    const judged = new Map(
      entries.map(({ path }) => [path, before?.get(path) ?? isHiddenPath(path, hidden)] as const),
    );
    const paths = [...judged].flatMap(([path, isHidden]) => (isHidden ? [path] : []));
    known = { ...hidden, existing, paths, judged };
    return paths;
  }

  return (merged, hidden) => {
    const existing = statAt(join(workspace, INDEX));
    const paths = existing === null ? EMPTY : hiddenIn(existing, hidden);
    const existingPaths = new Set(paths.filter((path) => existsIn(workspace, path)));
    if (existingPaths.size === 0) return null;
    const at = join(merged, INDEX);
    const index = bytesAt(at, MAX_INDEX_BYTES);
    const marked = index === null ? null : withMarks(index, (path) => existingPaths.has(path));
    if (marked === null) return null;
    writeLike(at, marked.index);
    return { unmark: () => unmark(at, marked) };
  };
}

/** Whether a path is hidden from a command. */
export function isHiddenPath(path: string, { isMasked, view }: Hidden): boolean {
  if (path.split('/').some((segment) => SKIPPED.has(segment))) return view?.showsFile(path) === false;
  return isMasked(path) || view?.showsFile(path) === false;
}

export function existsIn(workspace: string, path: string): boolean {
  try {
    return lstatSync(join(workspace, path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function unmark(
  at: string,
  { index, before }: MarkedIndex,
): (changes: readonly WriteSetChange[]) => WriteSetChange[] {
  const written = bytesAt(at, MAX_INDEX_BYTES);
  if (written?.equals(index) === true) return (changes) => changes.filter(({ path }) => path !== INDEX);
  const own = written === null ? null : withoutMarks(written, before);
  if (own !== null) writeLike(at, own);
  else if (statAt(at) !== null) return withRefusal;
  return (changes) => [...changes];
}

/** Our marks in the user's index would hide their own changes. */
function withRefusal(changes: readonly WriteSetChange[]): WriteSetChange[] {
  return changes.map((change) =>
    change.op === 'put' && change.path === INDEX ? { op: 'special', path: INDEX, why: UNREADABLE } : change,
  );
}

/**
 * Writes a file with its previous mtime, which git uses to detect changes; a moment earlier, as git then
 * compares more closely.
 */
function writeLike(at: string, bytes: Buffer): void {
  const { atimeMs, mtimeMs } = lstatSync(at);
  writeFileSync(at, bytes);
  utimesSync(at, atimeMs / 1000, (Math.floor(mtimeMs * 1000) - 1) / 1e6);
}

function isSameIndex(one: ExistingEntry, other: ExistingEntry): boolean {
  return one.ino === other.ino && one.ctimeNs === other.ctimeNs && one.bytes === other.bytes;
}
