import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { standingAt } from '../overlay/standing.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { readTrusted } from '../programs.ts';
import type { HostFolders } from './host-folders.ts';
import { commitsSince, type KeptCommit } from './kept-commits.ts';
import { hashOfFile, type Staged } from './stage.ts';
import { originalOf, stagedOf, toStamp } from './swap.ts';

/** No configuration of anybody, and of no repository: it may name programs to run. */
const PLAIN_GIT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};
const MERGE_WITHIN_MS = 30_000;

type Put = Extract<WriteSetChange, { op: 'put' }>;

/**
 * Merges what the command wrote with what others put there since it started, file by file, where each merge is
 * clean (`git merge-file`); the merged text takes the place of the staged one.
 *
 * The version that both came from is known where commands of ours made every change since: the first of them kept
 * it. What a person changed by hand has no such version, and nobody knows one where such a commit was let go of.
 *
 * @returns The changes with what stands there now; null when one file can't be merged. Nothing has happened then.
 */
export async function mergeChanged(
  changed: readonly string[],
  options: {
    readonly changes: readonly WriteSetChange[];
    /** Of this commit. */
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
    const standing = standingAt(at);
    const base = standing?.kind === 'file' ? baseOf(path, toStamp(standing), kept, options.since) : null;
    if (base === null) return null;
    if (!(await mergeFile(folder, { ours: stagedOf(folder, of.index), base, theirs: at }))) return null;
    staged.set(path, { ...of, hash: await hashOfFile(stagedOf(folder, of.index)) });
    merged.set(path, { ...put, standing });
  }
  return changes.map((change) => merged.get(change.path) ?? change);
}

/** What stood at a path before those commits, if they alone led from it to what stands there now. */
function baseOf(path: string, now: string, kept: readonly KeptCommit[], since: bigint): string | null {
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
  const original = base === null ? null : standingAt(base);
  return left === now && original?.kind === 'file' && original.mtimeNs < since ? base : null;
}

/**
 * False when it is not clean, or cannot be done. The same change on both sides counts as unclean, though git takes it
 * as one: of two that each count one up, one would be lost.
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
    // Into the same file, so that its owner and permissions stay.
    writeFileSync(ours, readFileSync(merged));
    return true;
  } catch {
    return false;
  } finally {
    for (const path of [merged, other, without]) rmSync(path, { force: true });
  }
}

/** Puts what leads from the base to the change into a file. */
async function mergeInto(file: string, { base, change }: Record<'base' | 'change', string>): Promise<void> {
  const argv = ['git', 'merge-file', '--quiet', file, base, change] as const;
  await readTrusted(argv, { cwd: '/', env: PLAIN_GIT, timeoutMs: MERGE_WITHIN_MS });
}
