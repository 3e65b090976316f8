import {
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { foldersAbove } from '../commit/disk/folders-above.ts';
import { openHostFolders } from '../commit/disk/host-folders.ts';
import { codeOf } from '../files/file-failure.ts';
import { statAt } from '../overlay/file-stat.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import type { WatchedName } from './watched-names.ts';

type TakenBack = {
  readonly workspace: string;
  readonly stateFolder: string;
  /** Name of the folder in the quarantine. */
  readonly id: string;
  readonly changes: readonly WriteSetChange[];
  /** The reason for each reverted path. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly before: ReadonlyMap<string, WatchedName>;
};

const MAX_SHOWN = 50;
/** Characters of a path kept in its quarantine name; with number and suffix below 255 bytes. */
const KEPT_NAME = 50;

/**
 * Moves new and changed files into the quarantine, under names no program reads, and restores the previous
 * ones.
 *
 * @returns a line per path: why, and where it is now
 */
export function takeBack({
  workspace,
  stateFolder,
  id,
  changes,
  reasons,
  before,
}: TakenBack): readonly string[] {
  const folder = join(stateFolder, 'quarantine', id);
  const lines: string[] = [];
  // A change of kind is two changes; the last one says what is there now.
  const last = new Map(changes.map(({ path }, index) => [path, index]));
  const handles = process.platform === 'linux' ? openHostFolders(workspace) : null;
  const at = (path: string): string => handles?.at(path) ?? join(workspace, path);
  try {
    for (const [index, change] of changes.entries()) {
      const why = reasons.get(change.path);
      if (why === undefined || last.get(change.path) !== index) continue;
      const done = [...moved(change, index), ...restore(change)].join(', ');
      lines.push(`${change.path} (${why}): ${done === '' ? 'could not be reverted' : done}`);
    }
    for (const { op, path } of changes.toReversed()) if (op === 'make') removeEmptyAbove(path);
  } finally {
    handles?.close();
  }
  const more = lines.length - MAX_SHOWN;
  return more > 0 ? [...lines.slice(0, MAX_SHOWN), `and ${more} more, in ${folder}`] : lines;

  function moved({ op, path }: WriteSetChange, index: number): readonly string[] {
    if (op === 'remove') return [];
    const name = `${index}-${path.replaceAll('/', '%').slice(-KEPT_NAME)}.quarantined`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      move(at(path), join(folder, name));
    } catch (cause) {
      return [`could not be moved away (${codeOf(cause) ?? 'unknown'})`];
    }
    return [`moved to .signalbox/quarantine/${id}/${name}`];
  }

  /** Restores a path with everything below it. */
  function restore({ path }: WriteSetChange): readonly string[] {
    const known = [...before].filter(([name]) => name === path || name.startsWith(`${path}/`));
    if (known.length === 0) return [];
    const isWhole = known.map(([name, was]) => restoreOne(name, was)).every(Boolean);
    return [isWhole ? 'restored' : 'only partly restored: some of it was too large to be kept'];
  }

  function restoreOne(path: string, { existing, content }: WatchedName): boolean {
    try {
      for (const above of foldersAbove(path)) if (statAt(at(above)) === null) mkdirSync(at(above));
      const name = at(path);
      if (existing.kind === 'directory') return restoreFolder(path, name, { ino: existing.ino });
      if (statAt(name) !== null) return true;
      if (content === null) return false;
      if (existing.kind === 'link') symlinkSync(content, name);
      else {
        writeFileSync(name, content, { flag: 'wx', mode: 0o600 });
        chmodSync(name, existing.mode & 0o777);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** A folder that was only renamed is moved back with its contents, such as git objects. */
  function restoreFolder(path: string, name: string, { ino }: Readonly<{ ino: bigint }>): boolean {
    if (statAt(name) !== null) return true;
    const renamed = changes.find((change) => change.op === 'make' && statAt(at(change.path))?.ino === ino);
    if (renamed === undefined) mkdirSync(name);
    else renameSync(at(renamed.path), at(path));
    return true;
  }

  function removeEmptyAbove(path: string): void {
    const holds = [...reasons.keys()].some((one) => one.startsWith(`${path}/`));
    if (!holds) return;
    try {
      rmdirSync(at(path));
    } catch {
      // It isn't empty.
    }
  }
}

/** Moves a path; copies it to another file system. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (cause) {
    if (codeOf(cause) !== 'EXDEV') throw cause;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true, force: true });
  }
}
