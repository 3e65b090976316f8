import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../files/file-failure.ts';
import { type ExistingEntry, statAt } from '../../overlay/file-stat.ts';
import { type HostFolders, isUnreachable } from './host-folders.ts';
import type { Attributes, Entry, Stamp } from './journal.ts';

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`. */
const O_PATH = 0o10000000;

/** A path was changed between the last check and the swap. */
export class PathChangedError extends Error {
  readonly path: string;
  constructor(path: string) {
    super(`"${path}" was changed meanwhile`);
    this.path = path;
  }
}

/** Applies one step. A step that throws has changed nothing. */
export function apply(entry: Entry, folder: string, folders: HostFolders): void {
  const at = folders.at(entry.path);
  switch (entry.op) {
    case 'remove':
      throwIfChanged(entry.path, at, { before: entry.before });
      return renameSync(at, originalOf(folder, entry.index));
    case 'make':
      return mkdirSync(at, { mode: 0o700 });
    case 'put':
      return entry.before === null
        ? putNew(entry, { at, folder })
        : replace(entry, at, { folder, before: entry.before });
    case 'attributes':
      if (entry.before !== null) throwIfChanged(entry.path, at, { before: entry.before.stamp });
      return setAttributes(at, entry.after);
  }
}

/**
 * Reverts one step, whether it was applied fully, partly or not at all, so it can be repeated. A file that
 * others have put there since is left alone.
 */
export function revert(entry: Entry, folder: string, folders: HostFolders): void {
  const at = atOrNull(entry.path, folders);
  if (at === null) return;
  const now = statAt(at);
  switch (entry.op) {
    case 'remove':
      if (now === null && exists(originalOf(folder, entry.index)))
        renameSync(originalOf(folder, entry.index), at);
      return;
    case 'make':
      return removeWhenEmpty(at);
    case 'put':
      if (now?.ino.toString() === entry.ino) return revertPut(entry, { at, folder });
      return;
    case 'attributes':
      if (entry.before === null || now === null) return;
      if (inodeOf(entry.before.stamp) === now.ino.toString()) setAttributes(at, entry.before);
  }
}

export function stagedOf(folder: string, index: number): string {
  return join(folder, 'stage', String(index));
}

/** Where the replaced file is kept. */
export function originalOf(folder: string, index: number): string {
  return join(folder, 'originals', String(index));
}

export function stampOf(path: string): Stamp | null {
  const now = statAt(path);
  return now === null ? null : toStamp(now);
}

export function toStamp({ kind, ino, mtimeNs, bytes }: ExistingEntry): Stamp {
  return kind === 'directory' ? `${ino}` : `${ino} ${mtimeNs} ${bytes}`;
}

function inodeOf(stamp: Stamp): string {
  return stamp.split(' ')[0] ?? stamp;
}

type Put = Extract<Entry, { op: 'put' }>;

/** Uses link(2), which fails if the name is taken; rename(2) does not. */
function putNew({ path, index }: Put, { at, folder }: Readonly<{ at: string; folder: string }>): void {
  const staged = stagedOf(folder, index);
  try {
    linkSync(staged, at);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') throw new PathChangedError(path);
    if (codeOf(cause) !== 'EPERM' && codeOf(cause) !== 'ENOTSUP') throw cause;
    // Some file systems have no hard links.
    if (exists(at)) throw new PathChangedError(path);
    return renameSync(staged, at);
  }
  unlinkSync(staged);
}

function replace(
  { path, index }: Put,
  at: string,
  { folder, before }: Readonly<{ folder: string; before: Stamp }>,
): void {
  throwIfChanged(path, at, { before });
  const original = originalOf(folder, index);
  try {
    linkSync(at, original);
  } catch (cause) {
    if (codeOf(cause) !== 'EPERM' && codeOf(cause) !== 'ENOTSUP') throw cause;
    copyFileSync(at, original, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  renameSync(stagedOf(folder, index), at);
}

function revertPut({ index, before }: Put, { at, folder }: Readonly<{ at: string; folder: string }>): void {
  const original = originalOf(folder, index);
  if (before === null) return unlinkSync(at);
  if (exists(original)) renameSync(original, at);
}

function throwIfChanged(path: string, at: string, { before }: Readonly<{ before: Stamp }>): void {
  if (stampOf(at) !== before) throw new PathChangedError(path);
}

function removeWhenEmpty(at: string): void {
  try {
    rmdirSync(at);
  } catch (cause) {
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(cause) ?? '')) throw cause;
  }
}

/** Uses a handle, so that a link created meanwhile is not followed. */
function setAttributes(at: string, { mode, mtimeNs }: Attributes): void {
  const handle = openSync(at, O_PATH | constants.O_NOFOLLOW);
  const path = `/proc/self/fd/${handle}`;
  try {
    chmodSync(path, mode);
    if (mtimeNs !== null) utimesSync(path, secondsOf(mtimeNs), secondsOf(mtimeNs));
  } finally {
    closeSync(handle);
  }
}

export function secondsOf(ns: string | bigint): number {
  return Number(BigInt(ns) / 1000n) / 1_000_000;
}

function exists(path: string): boolean {
  return statAt(path) !== null;
}

/** Null when a folder on the way is missing or isn't a folder: then none of our files can be there. */
function atOrNull(path: string, folders: HostFolders): string | null {
  try {
    return folders.at(path);
  } catch (cause) {
    if (isUnreachable(cause)) return null;
    throw cause;
  }
}
