import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { FileVersion, KeptChange } from '@signalbox/core';
import { statAt } from '../../overlay/file-stat.ts';
import { createTurns, FILES, type Turn } from '../../turns.ts';
import { createFindKept, type FindStoredVersion } from '../kept/find-kept.ts';
import { type HostFolders, isUnreachable, openHostFolders } from '../disk/host-folders.ts';
import type { Entry, Stamp } from '../disk/journal.ts';
import { commitsOfCommand, isKept, keptCommits, type KeptCommit } from '../kept/kept-commits.ts';
import { originalOf, stampOf } from '../disk/swap.ts';
import { putCopyOf } from '../kept/put-copies.ts';
import { createIsVersion, type IsVersion, type Version, versionOf } from '../kept/versions.ts';

/** Larger files are reported by size only. */
const MAX_TEXT_BYTES = 1024 ** 2;

/**
 * What a command changed, file by file, with both versions; null when its copies are gone.
 *
 * The version it left is still in place, or kept because a later commit replaced it. If a person replaced it,
 * it is lost.
 */
export async function changesOf(
  workspace: string,
  { commits, commandId }: Readonly<{ commits: string; commandId: string }>,
): Promise<KeptChange[] | null> {
  const programs = await commitsOfCommand(commits, commandId);
  const [first] = programs;
  if (first === undefined) return null;
  // Read only when a file was changed again, since that reads all journals.
  const allKept = once(() => keptCommits(commits));
  const later = once(async () =>
    createFindKept((await allKept()).filter(({ doneAt }) => doneAt > first.doneAt)),
  );
  const folders = openHostFolders(workspace);
  const turn = createTurns(FILES);
  const find = { folders, isVersion: createIsVersion(allKept), later };
  const changes: KeptChange[] = [];
  try {
    for (const [path, { before, version, copy }] of await replacedByAll(programs, turn)) {
      const change = { path, before, ...(await leftAt(path, { version, copy }, find)) };
      if (before.kind !== 'absent' || change.after.kind !== 'absent') changes.push(change);
      await turn();
    }
  } finally {
    folders.close();
  }
  // Another process may have dropped it meanwhile.
  if (!programs.every(isKept)) return null;
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => (made ??= make());
}

type Left = {
  readonly version: Version;
  /** Where a copy may be. */
  readonly copy: string | null;
};
type Replaced = Left & { readonly before: FileVersion };

/** By path of each changed file: the version before the first program, and the one the last program left. */
async function replacedByAll(
  programs: readonly KeptCommit[],
  turn: Turn,
): Promise<ReadonlyMap<string, Replaced>> {
  const replaced = new Map<string, Replaced>();
  for (const { folder, journal } of programs) {
    for (const entry of journal.entries) {
      for (const [path, replacing] of await replacedBy(entry, folder, turn)) {
        const before = replaced.get(path)?.before ?? replacing;
        const copy = entry.op === 'put' ? putCopyOf(folder, entry.index) : null;
        replaced.set(path, { before, version: versionOf(journal, path), copy });
      }
      await turn();
    }
  }
  return replaced;
}

/** The previous version of each file an entry changed. */
async function replacedBy(entry: Entry, folder: string, turn: Turn): Promise<[string, FileVersion][]> {
  if (entry.op === 'put') {
    return [[entry.path, entry.before === null ? ABSENT : versionAt(originalOf(folder, entry.index))]];
  }
  if (entry.op !== 'remove') return [];
  return filesAt(entry.path, originalOf(folder, entry.index), turn);
}

async function filesAt(path: string, source: string, turn: Turn): Promise<[string, FileVersion][]> {
  await turn();
  if (statAt(source)?.kind !== 'directory') return [[path, versionAt(source)]];
  const files: [string, FileVersion][] = [];
  for (const name of readdirSync(source).toSorted()) {
    for (const file of await filesAt(`${path}/${name}`, join(source, name), turn)) files.push(file);
  }
  return files;
}

type After = Omit<KeptChange, 'path' | 'before'>;

async function leftAt(
  path: string,
  { version, copy }: Left,
  {
    folders,
    isVersion,
    later,
  }: {
    readonly folders: HostFolders;
    readonly isVersion: IsVersion;
    readonly later: () => Promise<FindStoredVersion>;
  },
): Promise<After> {
  const now = existingVersion(path, folders);
  const { left } = version;
  if (await isVersion(path, now.existing, version))
    return { after: now.version, isCurrent: true, isByHand: false };
  // A file created where the command left none is a different file.
  if (left === null) return { after: ABSENT, isCurrent: false, isByHand: false };
  const kept = (await later())(path, left);
  if (kept !== null) return { after: versionAt(kept), isCurrent: false, isByHand: false };
  const copied = copy === null || statAt(copy) === null ? UNKNOWN : versionAt(copy);
  const isDeleted = now.existing === null ? ({ isDeleted: true } as const) : {};
  return { after: copied, isCurrent: false, isByHand: true, ...isDeleted };
}

function existingVersion(
  path: string,
  folders: HostFolders,
): {
  readonly existing: { readonly stamp: Stamp; readonly at: string } | null;
  readonly version: FileVersion;
} {
  try {
    const at = folders.at(path);
    const stamp = stampOf(at);
    return { existing: stamp === null ? null : { stamp, at }, version: versionAt(at) };
  } catch (cause) {
    if (isUnreachable(cause)) return { existing: null, version: ABSENT };
    throw cause;
  }
}

const ABSENT: FileVersion = { kind: 'absent' };
const UNKNOWN: FileVersion = { kind: 'unknown' };

function versionAt(path: string): FileVersion {
  const existing = statAt(path);
  if (existing === null || existing.kind === 'directory') return ABSENT;
  if (existing.kind === 'link') return { kind: 'text', text: `link to ${readlinkSync(path)}` };
  const { bytes } = existing;
  if (existing.kind === 'special' || bytes > MAX_TEXT_BYTES) return { kind: 'binary', bytes };
  const content = readFileSync(path);
  if (content.includes(0)) return { kind: 'binary', bytes };
  return { kind: 'text', text: content.toString('utf8') };
}
