import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { kindOf, STATE_FOLDER, unsafe } from './state-folder.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Opens a file below `.signalbox`: a regular file of this account. Links are not followed and pipes do not block.
 *
 * @throws {UnavailableError} `state-unsafe`; and system errors such as ENOENT
 */
export function openStateFile(path: string, how: 'read' | 'append'): number {
  const flags = how === 'read' ? O_RDONLY : O_WRONLY | O_APPEND | O_CREAT;
  let descriptor: number;
  try {
    descriptor = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw unsafe(path, shownOf(path), { why: 'it is a symbolic link' });
    if (codeOf(error) === 'ENXIO') throw unsafe(path, shownOf(path), { why: 'it is a pipe' });
    throw error;
  }
  const stats = fstatSync(descriptor);
  const own = process.geteuid?.() ?? stats.uid;
  if (stats.isFile() && stats.uid === own) return descriptor;
  closeSync(descriptor);
  const why = stats.isFile() ? `it belongs to account ${stats.uid}` : `it is ${kindOf(stats)}`;
  throw unsafe(path, shownOf(path), { why });
}

/**
 * The text of a file below `.signalbox`; null if there is none.
 *
 * @throws {UnavailableError} `state-unsafe` unless it is a regular file of this account
 */
export function readStateFile(path: string): string | null {
  return reading(path, (descriptor) => readFileSync(descriptor, 'utf8'));
}

/**
 * The file's content from that byte offset, or from its beginning if it has become shorter; null if there is none.
 *
 * @throws {UnavailableError} `state-unsafe` unless it is a regular file of this account
 */
export function readStateFrom(
  path: string,
  byte: number,
): { readonly from: number; readonly bytes: Buffer } | null {
  return reading(path, (descriptor) => {
    const { size } = fstatSync(descriptor);
    const from = size < byte ? 0 : byte;
    const bytes = Buffer.alloc(size - from);
    return { from, bytes: bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from)) };
  });
}

function reading<Read>(path: string, read: (descriptor: number) => Read): Read | null {
  let descriptor: number;
  try {
    descriptor = openStateFile(path, 'read');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function shownOf(path: string): string {
  const folder = basename(dirname(path));
  return join(folder === STATE_FOLDER ? folder : join(STATE_FOLDER, folder), basename(path));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
