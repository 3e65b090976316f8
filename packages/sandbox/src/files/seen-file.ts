import { mkdirSync } from 'node:fs';
import { kernelTimeBy, nextKernelTick } from '../kernel-time.ts';
import { type ExistingEntry, statAt } from '../overlay/file-stat.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { KEPT_MODE } from './atomic-write.ts';
import type { FileOnDisk } from './file-on-disk.ts';

/** The file at a name, read in two steps: its stamp, then its content. */
export type SeenFile = { readonly existing: ExistingEntry | null; readonly file: FileOnDisk | null };
export const NOTHING: SeenFile = { existing: null, file: null };

/** A file changed this often while it is read is in conflict anyway. */
const MAX_READS = 5;

/**
 * Reads a file such that any later change shows in its stamp. Many kernels update times only per tick (1 to 10
 * ms): a file changed in the current tick may change again without a new time, so this waits for the next tick.
 *
 * @param clockFolder A folder of ours on that file system, created here. Without it there is no wait.
 */
export async function readStamped(
  at: string,
  clockFolder: string | undefined,
  read: () => Promise<FileOnDisk | null>,
): Promise<SeenFile> {
  // The stamp first, so that a change between the two reads shows in it.
  const readOnce = async (): Promise<SeenFile> => ({ existing: statAt(at), file: await read() });
  if (clockFolder === undefined) return readOnce();
  mkdirSync(clockFolder, { recursive: true, mode: 0o700 });
  for (let attempts = 1; ; attempts++) {
    const before = kernelTimeBy(clockFolder);
    const seen = await readOnce();
    if (seen.existing === null || seen.existing.ctimeNs < before || attempts === MAX_READS) return seen;
    await nextKernelTick(clockFolder, seen.existing.ctimeNs);
  }
}

/** The change that writes a text over the file that was read. */
export function putOf(path: string, text: string, { existing, file }: SeenFile): WriteSetChange {
  const bytes = Buffer.byteLength(text);
  const mode = existing === null ? newMode(0o666) : existing.mode & KEPT_MODE;
  const source = { text, owner: file === null ? null : { uid: file.stats.uid, gid: file.stats.gid } };
  return { op: 'put', path, kind: 'file', source, mode, bytes, mtimeNs: null, existing };
}

/** The mode of a new file or folder under our umask. */
export function newMode(wanted: number): number {
  return wanted & ~process.umask();
}
