import { errorText } from '@signalbox/core';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { kindOf, SHARED_FILE } from '../workspace/state-folder.ts';
import type { FileNote } from './merge-sources.ts';
import { SettingsFileError } from './settings-file-error.ts';
import { writeWhole } from '../workspace/write-whole.ts';

/** The effective text; null if there is none. */
type SharedFile = Readonly<{ text: string | null; notes: readonly FileNote[] }>;

/**
 * Reads the settings that came with a repository. Anything but a regular file counts as none and gets a note: links are
 * not followed, so the content behind them is never shown, and pipes do not block.
 *
 * @param draft Read instead.
 * @throws {SettingsFileError} for a file that can't be read
 */
export function readShared(path: string, draft: string | undefined): SharedFile {
  if (draft !== undefined) return { text: draft, notes: [] };
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { text: null, notes: [] };
  if (!stats.isFile()) return noFile(stats);
  try {
    return { text: textOf(path), notes: [] };
  } catch (error) {
    const why = errorText(error);
    throw new SettingsFileError(`Cannot read ${SHARED_FILE}`, { why: [why] });
  }
}

/** Writes the whole file; an existing link is replaced, not followed. */
export function writeShared(path: string, text: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(path);
  writeWhole(path, text);
}

/** It is parsed in memory, which takes a hundred times its size. */
const MAX_BYTES = 1024 ** 2;

function textOf(path: string): string {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is no longer a file');
    if (stats.size > MAX_BYTES) throw new Error('it is larger than 1 MiB');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function noFile(stats: Stats): SharedFile {
  const message = `${SHARED_FILE} is ignored: it is ${kindOf(stats)}. Replace it with a file`;
  const fix = `rm${stats.isDirectory() ? ' -r' : ''} ${SHARED_FILE} && signalbox init`;
  return { text: null, notes: [{ path: [], message, fix }] };
}
