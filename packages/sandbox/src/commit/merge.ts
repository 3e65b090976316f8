import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { statAt } from '../overlay/file-stat.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { readTrusted } from '../programs.ts';
import type { HostFolders } from './disk/host-folders.ts';
import { commitsSince, type KeptCommit } from './kept/kept-commits.ts';
import { hashOfFile, type Staged } from './disk/stage.ts';
import { originalOf, stagedOf, toStamp } from './disk/swap.ts';

/** Ignores all configuration, which may name programs to run. */
const PLAIN_GIT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};
const MERGE_WITHIN_MS = 30_000;

type Put = Extract<WriteSetChange, { op: 'put' }>;

/**
 * Merges the command's files with changes of others since it started, file by file, if every merge is clean
 * (`git merge-file`). The merged text replaces the staged one.
 *
 * The common base is known if every change since was made by our commits: the first of them kept it. There is
 * none for a change by hand, or if such a commit was dropped.
 *
 * @returns The changes based on the current files; null when a file can't be merged, and nothing has changed
 */
export async function mergeChanged(
  changed: readonly string[],
  options: {
    readonly changes: readonly WriteSetChange[];
    /** The folder of this commit. */
    readonly folder: string;
    readonly commits: string;
    readonly since: bigint;
    readonly staged: Map<string, Staged>;
    readonly folders: HostFolders;
  },
): Promise<readonly WriteSetChange[] | null> {
  const { changes, folder, staged, folders } = options;
  const { kept, isWhole } = await commitsSince(options.commits, options.since);
  if (!isWhole) return null;
  const merged = new Map<string, Put>();
  for (const path of changed) {
    const put = changes.find((change): change is Put => change.op === 'put' && change.path === path);
    const of = staged.get(path);
    if (put?.kind !== 'file' || of === undefined) return null;
    const at = folders.at(path);
    const existing = statAt(at);
    const base =
      existing?.kind === 'file' ? baseOf(path, toStamp(existing), { kept, since: options.since }) : null;
    if (base === null) return null;
    if (!(await mergeFile(folder, { ours: stagedOf(folder, of.index), base, theirs: at }))) return null;
    staged.set(path, { ...of, hash: await hashOfFile(stagedOf(folder, of.index)) });
    merged.set(path, { ...put, existing });
  }
  return changes.map((change) => merged.get(change.path) ?? change);
}

/** The file before those commits, if they alone led from it to the current one. */
function baseOf(
  path: string,
  now: string,
  { kept, since }: Readonly<{ kept: readonly KeptCommit[]; since: bigint }>,
): string | null {
  let base: string | null = null;
  let left: string | null = null;
  for (const { folder, journal } of kept) {
    const entries = journal.entries.filter((entry) => entry.path === path && entry.op !== 'attributes');
    if (entries.length === 0) continue;
    const [entry] = entries;
    if (entries.length > 1 || entry?.op !== 'put' || entry.before === null) return null;
    if (left !== null && entry.before !== left) return null;
    base ??= originalOf(folder, entry.index);
    left = journal.left?.[path] ?? null;
  }
  const original = base === null ? null : statAt(base);
  return left === now && original?.kind === 'file' && original.mtimeNs < since ? base : null;
}

/**
 * Returns false when the merge isn't clean or fails. Identical changes on both sides count as unclean, though
 * git merges them: if both increment a counter, one increment would be lost.
 */
async function mergeFile(
  folder: string,
  { ours, base, theirs }: Record<'ours' | 'base' | 'theirs', string>,
): Promise<boolean> {
  const [merged, other, without] = ['merge-ours', 'merge-theirs', 'merge-without'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  try {
    copyFileSync(ours, merged);
    copyFileSync(theirs, other);
    await mergeInto(merged, { base, change: other });
    copyFileSync(merged, without);
    await mergeInto(without, { base: other, change: base });
    if (!readFileSync(without).equals(readFileSync(ours))) return false;
    // Written into the same file, to keep its owner and permissions.
    writeFileSync(ours, readFileSync(merged));
    return true;
  } catch {
    return false;
  } finally {
    for (const path of [merged, other, without]) rmSync(path, { force: true });
  }
}

/** Writes the diff from the base to the change into a file. */
async function mergeInto(file: string, { base, change }: Record<'base' | 'change', string>): Promise<void> {
  const argv = ['git', 'merge-file', '--quiet', file, base, change] as const;
  await readTrusted(argv, { cwd: '/', env: PLAIN_GIT, timeoutMs: MERGE_WITHIN_MS });
}
