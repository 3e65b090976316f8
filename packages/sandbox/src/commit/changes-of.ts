import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { FileVersion, KeptChange } from '@signalbox/core';
import { standingAt } from '../overlay/write-set.ts';
import { isUnreachable, openHostFolders } from './host-folders.ts';
import type { Entry, Stamp } from './journal.ts';
import { commitsOfCommand, isKept, keptCommits, type KeptCommit } from './kept-commits.ts';
import { originalOf, stampOf } from './swap.ts';
import { createIsVersion, type IsVersion } from './versions.ts';

/** Larger files are told by their size alone. */
const MAX_TEXT_BYTES = 1024 ** 2;

/**
 * What a command changed, file by file, with both versions; null when nothing is kept of it.
 *
 * What it left stands there still, or is what a later commit replaced; what a person has replaced is gone.
 */
export function changesOf(workspace: string, commits: string, commandId: string): KeptChange[] | null {
  const programs = commitsOfCommand(commits, commandId);
  const [first] = programs;
  if (first === undefined) return null;
  let kept: readonly KeptCommit[] | null = null;
  /** Read only when something was changed again: that takes all journals. */
  const allKept = (): readonly KeptCommit[] => (kept ??= keptCommits(commits));
  const laterCommits = (): readonly KeptCommit[] => allKept().filter(({ doneAt }) => doneAt > first.doneAt);
  const isVersion = createIsVersion(allKept);
  const before = new Map<string, FileVersion>();
  const left = new Map<string, Stamp | null>();
  for (const { folder, journal } of programs) {
    for (const entry of journal.entries) {
      for (const [path, version] of replacedBy(entry, folder)) {
        if (!before.has(path)) before.set(path, version);
        left.set(path, journal.left?.[path] ?? null);
      }
    }
  }
  const changes = [...before]
    .map(([path, version]): KeptChange => {
      const after = leftAt(path, left.get(path) ?? null, { workspace, isVersion, laterCommits });
      return { path, before: version, ...after };
    })
    .filter((change) => change.before.kind !== 'absent' || change.after.kind !== 'absent')
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  // Another process may have let go of it while it was read.
  return programs.every(isKept) ? changes : null;
}

/** What stood at each file's path that an entry has changed. */
function replacedBy(entry: Entry, folder: string): [string, FileVersion][] {
  if (entry.op === 'put') {
    return [[entry.path, entry.before === null ? ABSENT : versionAt(originalOf(folder, entry.index))]];
  }
  if (entry.op !== 'remove') return [];
  return filesAt(entry.path, originalOf(folder, entry.index));
}

function filesAt(path: string, source: string): [string, FileVersion][] {
  if (standingAt(source)?.kind !== 'directory') return [[path, versionAt(source)]];
  return readdirSync(source)
    .toSorted()
    .flatMap((name) => filesAt(`${path}/${name}`, join(source, name)));
}

type After = Pick<KeptChange, 'after' | 'isCurrent'>;

function leftAt(
  path: string,
  left: Stamp | null,
  {
    workspace,
    isVersion,
    laterCommits,
  }: {
    readonly workspace: string;
    readonly isVersion: IsVersion;
    readonly laterCommits: () => readonly KeptCommit[];
  },
): After {
  const now = standingVersion(workspace, path);
  if (isVersion(path, now.stamp, left)) return { after: now.version, isCurrent: true };
  if (left === null) return { after: ABSENT, isCurrent: false };
  for (const commit of laterCommits()) {
    const kept = keptBy(commit, path, left);
    if (kept !== null) return { after: versionAt(kept), isCurrent: false };
  }
  return { after: { kind: 'unknown' }, isCurrent: false };
}

/** Where a commit keeps that version of a path, by itself or in a folder that it removed; null when it does not. */
function keptBy({ folder, journal }: KeptCommit, path: string, left: Stamp): string | null {
  for (const entry of journal.entries) {
    if (entry.op !== 'put' && entry.op !== 'remove') continue;
    const original = originalOf(folder, entry.index);
    if (entry.path === path && entry.before === left) return original;
    if (entry.op !== 'remove' || !path.startsWith(`${entry.path}/`)) continue;
    const inside = join(original, path.slice(entry.path.length + 1));
    if (stampOf(inside) === left) return inside;
  }
  return null;
}

function standingVersion(workspace: string, path: string): { stamp: Stamp | null; version: FileVersion } {
  const folders = openHostFolders(workspace);
  try {
    const at = folders.at(path);
    return { stamp: stampOf(at), version: versionAt(at) };
  } catch (cause) {
    if (isUnreachable(cause)) return { stamp: null, version: ABSENT };
    throw cause;
  } finally {
    folders.close();
  }
}

const ABSENT: FileVersion = { kind: 'absent' };

function versionAt(path: string): FileVersion {
  const standing = standingAt(path);
  if (standing === null || standing.kind === 'directory') return ABSENT;
  if (standing.kind === 'link') return { kind: 'text', text: `link to ${readlinkSync(path)}` };
  const { bytes } = standing;
  if (standing.kind === 'special' || bytes > MAX_TEXT_BYTES) return { kind: 'binary', bytes };
  const content = readFileSync(path);
  if (content.includes(0)) return { kind: 'binary', bytes };
  return { kind: 'text', text: content.toString('utf8') };
}
