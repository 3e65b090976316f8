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
import { codeOf } from '../files/file-failure.ts';
import { type StandingEntry, standingAt } from '../overlay/standing.ts';
import { type HostFolders, isUnreachable } from './host-folders.ts';
import type { Attributes, Entry, Stamp } from './journal.ts';

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`. */
const O_PATH = 0o10000000;

/** Somebody changed a path between the last look and the swap. */
export class PathChangedError extends Error {
  readonly path: string;
  constructor(path: string) {
    super(`"${path}" was changed meanwhile`);
    this.path = path;
  }
}

/** Does one step. A step that throws has changed nothing. */
export function apply(entry: Entry, folder: string, folders: HostFolders): void {
  const at = folders.at(entry.path);
  switch (entry.op) {
    case 'remove':
      refuseOther(entry.path, at, entry.before);
      return renameSync(at, originalOf(folder, entry.index));
    case 'make':
      return mkdirSync(at, { mode: 0o700 });
    case 'put':
      return entry.before === null ? putNew(entry, at, folder) : replace(entry, at, folder, entry.before);
    case 'attributes':
      if (entry.before !== null) refuseOther(entry.path, at, entry.before.stamp);
      return setAttributes(at, entry.after);
  }
}

/**
 * Takes one step back, whether it was done, done in part or not at all: it can be called again and again.
 * What somebody else has put there since is left as it is.
 */
export function revert(entry: Entry, folder: string, folders: HostFolders): void {
  const at = atOrNull(entry.path, folders);
  if (at === null) return;
  const now = standingAt(at);
  switch (entry.op) {
    case 'remove':
      if (now === null && exists(originalOf(folder, entry.index)))
        renameSync(originalOf(folder, entry.index), at);
      return;
    case 'make':
      return removeWhenEmpty(at);
    case 'put':
      if (now?.ino.toString() === entry.ino) return takeBack(entry, at, folder);
      return;
    case 'attributes':
      if (entry.before === null || now === null) return;
      if (inodeOf(entry.before.stamp) === now.ino.toString()) setAttributes(at, entry.before);
  }
}

export function stagedOf(folder: string, index: number): string {
  return join(folder, 'stage', String(index));
}

/** What stood there before. */
export function originalOf(folder: string, index: number): string {
  return join(folder, 'originals', String(index));
}

export function stampOf(path: string): Stamp | null {
  const now = standingAt(path);
  return now === null ? null : toStamp(now);
}

export function toStamp({ kind, ino, mtimeNs, bytes }: StandingEntry): Stamp {
  return kind === 'directory' ? `${ino}` : `${ino} ${mtimeNs} ${bytes}`;
}

function inodeOf(stamp: Stamp): string {
  return stamp.split(' ')[0] ?? stamp;
}

type Put = Extract<Entry, { op: 'put' }>;

/** A link refuses a name that is taken, which a rename does not. */
function putNew({ path, index }: Put, at: string, folder: string): void {
  const staged = stagedOf(folder, index);
  try {
    linkSync(staged, at);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') throw new PathChangedError(path);
    if (codeOf(cause) !== 'EPERM' && codeOf(cause) !== 'ENOTSUP') throw cause;
    // Some file systems know no hard links.
    if (exists(at)) throw new PathChangedError(path);
    return renameSync(staged, at);
  }
  unlinkSync(staged);
}

function replace({ path, index }: Put, at: string, folder: string, before: Stamp): void {
  refuseOther(path, at, before);
  const original = originalOf(folder, index);
  try {
    linkSync(at, original);
  } catch (cause) {
    if (codeOf(cause) !== 'EPERM' && codeOf(cause) !== 'ENOTSUP') throw cause;
    copyFileSync(at, original, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  renameSync(stagedOf(folder, index), at);
}

function takeBack({ index, before }: Put, at: string, folder: string): void {
  const original = originalOf(folder, index);
  if (before === null) return unlinkSync(at);
  if (exists(original)) renameSync(original, at);
}

function refuseOther(path: string, at: string, before: Stamp): void {
  if (stampOf(at) !== before) throw new PathChangedError(path);
}

function removeWhenEmpty(at: string): void {
  try {
    rmdirSync(at);
  } catch (cause) {
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(cause) ?? '')) throw cause;
  }
}

/** By a handle, so that a link that came meanwhile is not followed. */
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
  return standingAt(path) !== null;
}

/** Null when a folder on its way is gone or no folder: nothing of ours can stand there. */
function atOrNull(path: string, folders: HostFolders): string | null {
  try {
    return folders.at(path);
  } catch (cause) {
    if (isUnreachable(cause)) return null;
    throw cause;
  }
}
