import { readdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTurns, type Turn } from '../turns.ts';
import { discardCommit } from './commit.ts';
import { notePruned } from './kept/kept-commits.ts';

/** How much of what commits replaced is kept for `undo`: the newest, within both bounds. */
export type CopyRetention = {
  /** Milliseconds. */
  readonly maxAgeMs: number;
  /** Size on disk, including journals. */
  readonly maxBytes: number;
};

/** Seven days and 2 GiB. */
export const DEFAULT_COPIES_KEPT: CopyRetention = { maxAgeMs: 7 * 24 * 3_600_000, maxBytes: 2 * 1024 ** 3 };

/** Drops the oldest commits if there may be too many. A failure is ignored. */
export async function pruneCopies(commits: string, keep: CopyRetention = DEFAULT_COPIES_KEPT): Promise<void> {
  const done = (commitsDone.get(commits) ?? 0) + 1;
  commitsDone.set(commits, done);
  if (done % PRUNE_EVERY !== 1) return;
  // The next commit tries again.
  await prune(commits, keep).catch(() => undefined);
}

/** The newest commits that are kept whatever their age. */
const KEPT_HOWEVER_OLD = 200;

/** By commits folder, in this process. */
const commitsDone = new Map<string, number>();
/** Measuring all commits takes some milliseconds. */
const PRUNE_EVERY = 16;

type Measured = { readonly at: number; readonly bytes: number };

/** Known sizes, by commits folder. A finished commit doesn't change. */
const measured = new Map<string, ReadonlyMap<string, Measured>>();

async function prune(commits: string, keep: CopyRetention): Promise<void> {
  const known = await measure(commits);
  const newestFirst = [...known].toSorted(([, one], [, other]) => other.at - one.at);
  const oldest = Date.now() - keep.maxAgeMs;
  let bytes = 0;
  const kept = newestFirst.findIndex(([, one], index) => {
    bytes += one.bytes;
    return (index >= KEPT_HOWEVER_OLD && one.at < oldest) || bytes > keep.maxBytes;
  });
  if (kept < 0) return;
  notePruned(commits);
  // Oldest first, so that at any moment all commits later than an existing one are there too.
  for (const [name] of newestFirst.slice(kept).toReversed()) await discardCommit(join(commits, name));
}

async function measure(commits: string): Promise<ReadonlyMap<string, Measured>> {
  const before = measured.get(commits);
  const now = new Map<string, Measured>();
  const turn = createTurns();
  for (const name of readdirSync(commits)) {
    const one = before?.get(name) ?? (await measureOne(join(commits, name), turn));
    if (one !== null) now.set(name, one);
  }
  measured.set(commits, now);
  return now;
}

async function measureOne(folder: string, turn: Turn): Promise<Measured | null> {
  const done = statSync(join(folder, 'done.json'), { throwIfNoEntry: false });
  return done === undefined ? null : { at: done.ctimeMs, bytes: await bytesBelow(folder, turn) };
}

async function bytesBelow(folder: string, turn: Turn): Promise<number> {
  let bytes = BLOCK;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    // A small file or a folder takes one block.
    const size = entry.isFile() ? (statSync(path, { throwIfNoEntry: false })?.size ?? 0) : 0;
    bytes += Math.ceil(Math.max(1, size) / BLOCK) * BLOCK;
    await turn();
  }
  return bytes;
}

const BLOCK = 4096;
