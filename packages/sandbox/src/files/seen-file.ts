import { mkdirSync } from 'node:fs';
import { kernelTimeBy, nextKernelTick } from '../kernel-time.ts';
import { type StandingEntry, standingAt } from '../overlay/standing.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { KEPT_MODE } from './atomic-write.ts';
import type { StandingFile } from './standing-file.ts';

/** What stands at a name, by two looks: how it stands, then what it holds. */
export type SeenFile = { readonly standing: StandingEntry | null; readonly file: StandingFile | null };
export const NOTHING: SeenFile = { standing: null, file: null };

/** Whoever changes a file as often as this while we look is in conflict anyway. */
const MOST_READS = 5;

/**
 * Looks at a file so that whoever changes it from then on is found by its stamp. Many kernels know times by ticks
 * alone (1 to 10 ms): what has changed in this tick may change in it once more, unseen, so that is waited for.
 *
 * @param clockFolder Ours, on that file system; made here. Without it nothing is waited for.
 */
export async function lookAtFile(
  at: string,
  read: () => Promise<StandingFile | null>,
  clockFolder: string | undefined,
): Promise<SeenFile> {
  // Its stamp first: who changes it between the two looks is found by the stamp.
  const look = async (): Promise<SeenFile> => ({ standing: standingAt(at), file: await read() });
  if (clockFolder === undefined) return look();
  mkdirSync(clockFolder, { recursive: true, mode: 0o700 });
  for (let looks = 1; ; looks++) {
    const before = kernelTimeBy(clockFolder);
    const seen = await look();
    if (seen.standing === null || seen.standing.ctimeNs < before || looks === MOST_READS) return seen;
    await nextKernelTick(clockFolder, seen.standing.ctimeNs);
  }
}

/** What puts a text where that was seen. */
export function putOf(path: string, text: string, { standing, file }: SeenFile): WriteSetChange {
  const bytes = Buffer.byteLength(text);
  const mode = standing === null ? newMode(0o666) : standing.mode & KEPT_MODE;
  const source = { text, owner: file === null ? null : { uid: file.stats.uid, gid: file.stats.gid } };
  return { op: 'put', path, kind: 'file', source, mode, bytes, mtimeNs: null, standing };
}

/** What a new file or folder of ours may be used for. */
export function newMode(wanted: number): number {
  return wanted & ~process.umask();
}
