import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { type ChangedFile, ContentHash, ToolFailure } from '@signalbox/core';
import { codeOf, notAFile } from './file-failure.ts';
import { readUpTo } from './read-up-to.ts';
import { type OpenFolder, refuseLink } from './safe-walk.ts';

export type FileOnDisk = {
  readonly bytes: Buffer;
  readonly hash: ContentHash;
  /** Null when it contains NUL bytes or is not UTF-8. */
  readonly text: string | null;
  readonly stats: Stats;
};

/**
 * Reads the file at a name; null if there is none.
 *
 * @throws {ToolFailure} `path_not_allowed` for a link, `not-a-file`, `too-large`
 */
export async function readFileOnDisk(
  folder: OpenFolder,
  name: string,
  options: { readonly path: string; readonly what: string; readonly maxBytes: number },
): Promise<FileOnDisk | null> {
  const { path, what, maxBytes } = options;
  // Non-blocking, as opening a FIFO would wait for its writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(folder.at(name), flags).catch(async (cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null;
    await refuseLink(folder.at(name), path);
    throw cause;
  });
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notAFile(what, path);
    if (stats.size > maxBytes) throw tooLarge(what, path, { maxBytes });
    const bytes = await readUpTo(handle, maxBytes);
    if (bytes === null) throw tooLarge(what, path, { maxBytes });
    return { bytes, hash: hashOf(bytes), text: toText(bytes), stats };
  } finally {
    await handle.close();
  }
}

/** The change of a file, or of none, to this text. */
export function changedTo(text: string, path: string, existing: FileOnDisk | null): ChangedFile {
  const hash = hashOf(text);
  const before = existing?.text ?? null;
  if (existing?.hash === hash) return { path, kind: 'unchanged', hash, before };
  return { path, kind: existing === null ? 'created' : 'modified', hash, before };
}

export function hashOf(content: Buffer | string): ContentHash {
  return ContentHash.parse(createHash('sha256').update(content).digest('hex'));
}

function toText(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function tooLarge(what: string, path: string, { maxBytes }: Readonly<{ maxBytes: number }>): ToolFailure {
  return new ToolFailure({
    code: 'too-large',
    category: 'PermanentFailure',
    message: `Cannot ${what} "${path}": it is larger than ${maxBytes} bytes`,
    suggestion: 'Search in it, or have a shell command show a part of it',
  });
}
