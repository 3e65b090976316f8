import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTurns, FILES } from '../../turns.ts';
import type { Staged } from '../disk/stage.ts';
import { stagedOf } from '../disk/swap.ts';
import type { CommitWriter } from '../disk/writer.ts';
import { statAt } from '../../overlay/file-stat.ts';

/** Source files are smaller. */
const MAX_BYTES = 256 * 1024;
/** More is a build, and nobody reads that file by file. */
const MAX_FILES = 200;
/** Each file is scanned for secrets. */
const MAX_ALL_BYTES = 4 * 1024 ** 2;

/** Where the copy of an entry's file is, if there is one. */
export function putCopyOf(folder: string, index: number): string {
  return join(folder, 'left', String(index));
}

/**
 * Keeps copies of small files without secrets that a commit is about to write, to show later edits by hand. A
 * failed copy is skipped.
 */
export async function keepPutCopies(
  folder: string,
  staged: ReadonlyMap<string, Staged>,
  holdsSecret: CommitWriter['holdsSecret'],
): Promise<void> {
  const wanted = [...staged].filter(([path]) => !path.split('/').includes('.git'));
  if (holdsSecret === undefined || wanted.length > MAX_FILES) return;
  const turn = createTurns(FILES);
  let allBytes = 0;
  try {
    mkdirSync(join(folder, 'left'), { mode: 0o700 });
    for (const [, { index }] of wanted) {
      const existing = statAt(stagedOf(folder, index));
      if (existing?.kind !== 'file' || existing.bytes > MAX_BYTES) continue;
      allBytes += existing.bytes;
      if (allBytes > MAX_ALL_BYTES) return;
      const content = readFileSync(stagedOf(folder, index));
      if (!holdsSecret(content.toString('latin1')) && !holdsSecret(content.toString('utf8')))
        writeFileSync(putCopyOf(folder, index), content, { flag: 'wx', mode: 0o600 });
      await turn();
    }
  } catch {
    // For example a full disk. The commit itself matters more.
  }
}
