import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { codeOf } from './file-failure.ts';
import type { OpenFolder } from './safe-walk.ts';

/** Permission bits that a rewritten file keeps: never set-user-id or set-group-id. */
export const KEPT_MODE = 0o1777;

/**
 * Puts a whole file in the place of another in one step: it lands old-or-new, whatever kills us.
 *
 * `standing` is what is replaced; null makes a new file and fails with `EEXIST` when somebody was quicker.
 */
export async function replaceFile(
  folder: OpenFolder,
  name: string,
  content: { readonly text: string; readonly standing: Stats | null },
): Promise<void> {
  const { text, standing } = content;
  const temporary = folder.at(`.signalbox-${randomBytes(9).toString('base64url')}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, 0o600);
  try {
    try {
      await handle.writeFile(text);
      await adopt(handle, standing);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (standing === null) await putNew(temporary, folder.at(name));
    else await rename(temporary, folder.at(name));
  } catch (cause) {
    await unlink(temporary).catch(() => undefined);
    throw cause;
  }
  await folder.sync();
}

async function adopt(handle: FileHandle, standing: Stats | null): Promise<void> {
  if (standing === null) return handle.chmod(0o666 & ~process.umask());
  const own = await handle.stat();
  // Only root may give a file back to its owner; others wrote to their own one anyway.
  if (own.uid !== standing.uid || own.gid !== standing.gid) {
    await handle.chown(standing.uid, standing.gid).catch(() => undefined);
  }
  await handle.chmod(standing.mode & KEPT_MODE);
}

/** A link refuses a name that is taken, which a rename does not. */
async function putNew(temporary: string, name: string): Promise<void> {
  try {
    await link(temporary, name);
  } catch (cause) {
    // Some file systems know no hard links.
    if (codeOf(cause) !== 'EPERM' && codeOf(cause) !== 'ENOTSUP') throw cause;
    return rename(temporary, name);
  }
  await unlink(temporary);
}
