import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CopyRetention, DEFAULT_COPIES_KEPT } from '../commit/prune-copies.ts';
import { createTurns } from '../turns.ts';

/** The newest outputs that are kept whatever their age. */
const KEPT_HOWEVER_OLD = 200;

/**
 * Removes the oldest full texts of long outputs, each up to 128 MiB, and copies made to be shown, until both
 * bounds hold. A failure is ignored; the next long output tries again.
 */
export async function pruneOutputs(folder: string, keep: CopyRetention = DEFAULT_COPIES_KEPT): Promise<void> {
  try {
    await prune(folder, keep);
  } catch {
    return;
  }
}

async function prune(folder: string, { maxAgeMs, maxBytes }: CopyRetention): Promise<void> {
  const turn = createTurns();
  const found: { readonly path: string; readonly at: number; readonly bytes: number }[] = [];
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) found.push({ path, at: stats.mtimeMs, bytes: stats.size });
    await turn();
  }
  const oldest = Date.now() - maxAgeMs;
  let bytes = 0;
  for (const [index, one] of found.toSorted((a, b) => b.at - a.at).entries()) {
    bytes += one.bytes;
    if ((index >= KEPT_HOWEVER_OLD && one.at < oldest) || bytes > maxBytes) rmSync(one.path, { force: true });
    await turn();
  }
}
