import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { codeOf } from './file-failure.ts';
import type { OpenFolder } from './safe-walk.ts';

/** Permission bits kept by a rewritten file. Excludes setuid and setgid. */
export const KEPT_MODE = 0o1777;

/**
 * Replaces a file atomically: if we are killed, the old or the new file is there.
 *
 * `existing` is the file to replace. Null creates a new file and fails with `EEXIST` if one exists.
 */
export async function replaceFile(
  folder: OpenFolder,
  name: string,
  content: { readonly text: string; readonly existing: Stats | null },
): Promise<void> {
  const { text, existing } = content;
  const temporary = folder.at(`.signalbox-${randomBytes(9).toString('base64url')}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, 0o600);
  try {
    try {
      await handle.writeFile(text);
      await adopt(handle, existing);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (existing === null) await putNew(temporary, folder.at(name));
    else await rename(temporary, folder.at(name));
  } catch (cause) {
    await unlink(temporary).catch(() => undefined);
    throw cause;
  }
  await folder.sync();
}

async function adopt(handle: FileHandle, existing: Stats | null): Promise<void> {
  if (existing === null) return handle.chmod(0o666 & ~process.umask());
  const own = await handle.stat();
  // Only root can restore the owner; others wrote to their own file anyway.
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    await handle.chown(existing.uid, existing.gid).catch(() => undefined);
  }
  await handle.chmod(existing.mode & KEPT_MODE);
}

/** Uses link(2), which fails if the name is taken; rename(2) does not. */
async function putNew(temporary: string, name: string): Promise<void> {
  try {
    await link(temporary, name);
  } catch (cause) {
    // Some file systems have no hard links.
    if (codeOf(cause) !== 'EPERM' && codeOf(cause) !== 'ENOTSUP') throw cause;
    return rename(temporary, name);
  }
  await unlink(temporary);
}
