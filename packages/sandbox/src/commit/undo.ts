import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FileTouch, SandboxError, type UndoAnswer, UsageError } from '@signalbox/core';
import { type Change, type Standing, standingAt } from '../overlay/write-set.ts';
import { commit, type CommitOutcome, type CommitRequest, RollbackFailedError } from './commit.ts';
import { type HostFolders, isUnreachable, openHostFolders } from './host-folders.ts';
import type { Attributes, Journal, Stamp } from './journal.ts';
import { commitsOfCommand, type KeptCommit, keptCommits } from './kept-commits.ts';
import { originalOf, stampOf, toStamp } from './swap.ts';
import { createIsVersion } from './versions.ts';

export type UndoRequest = Pick<CommitRequest, 'workspace' | 'commits' | 'writer' | 'mayCommit' | 'signal'> & {
  /** Whose changes are taken back. */
  readonly undone: string;
  /** Who takes them back: what it replaces is kept under its name, so that it can be undone itself. */
  readonly commandId: string;
  /** Paths that others changed since are put back too. */
  readonly isForced: boolean;
};

/**
 * Takes back what a command committed, where nobody has changed its files since. It is a commit like any other:
 * all or nothing, and kept.
 *
 * @throws {UsageError} `nothing-to-undo` when nothing is kept of that command.
 */
export async function undo(request: UndoRequest): Promise<UndoAnswer> {
  const { commits, undone, isForced } = request;
  const programs = commitsOfCommand(commits, undone);
  if (programs.length === 0) {
    throw new UsageError('nothing-to-undo', `Cannot undo ${undone}: nothing is kept of what it changed`, {
      why: ['it changed no files, or too much has happened since'],
    });
  }
  const changed = changedSince(request, programs);
  const paths = isForced ? [] : changed.filter((path) => path !== GIT_INDEX);
  if (paths.length > 0) return { kind: 'changed-since', paths };
  const keepsIndex = !isForced && changed.includes(GIT_INDEX);
  const isTaken = (path: string): boolean => !keepsIndex || path !== GIT_INDEX;
  const touched: FileTouch[] = [];
  // The last first: what an earlier one left, a later one has changed.
  for (const program of programs.toReversed()) {
    const outcome = await putBack(program, isTaken, request).catch(async (cause: unknown) => {
      if (!(cause instanceof RollbackFailedError)) await putAgain(request);
      throw cause;
    });
    if (outcome.kind !== 'committed') {
      await putAgain(request);
      return answerOf(outcome);
    }
    touched.push(...outcome.changes);
  }
  return { kind: 'undone', changes: touched };
}

function putBack(
  kept: KeptCommit,
  isTaken: (path: string) => boolean,
  { commandId, workspace, commits, writer, mayCommit, signal }: Omit<UndoRequest, 'undone' | 'isForced'>,
): Promise<CommitOutcome> {
  const { changes, restored } = wayBack(workspace, kept);
  const of = { commandId, workspace, commits, writer, restored, mayCommit, signal };
  return commit({
    ...of,
    changes: changes.filter(({ path }) => isTaken(path)),
    since: NEVER,
    whyRefused: FREE,
  });
}

/**
 * One of several programs could not be taken back, so that those taken back before it are put again.
 *
 * @throws {SandboxError} when that can't be done.
 */
async function putAgain(request: UndoRequest): Promise<void> {
  const own = { ...request, mayCommit: undefined, signal: new AbortController().signal };
  for (const kept of commitsOfCommand(request.commits, request.commandId).toReversed()) {
    const outcome = await putBack(kept, () => true, own);
    if (outcome.kind === 'committed') continue;
    throw new SandboxError(`Cannot undo ${request.undone} whole: only its last programs were taken back`, {
      why: [`${outcome.kind} while they were put again`],
      next: [`What is left of it: signalbox diff ${request.undone}`],
    });
  }
}

function answerOf(outcome: Exclude<CommitOutcome, { kind: 'committed' }>): UndoAnswer {
  switch (outcome.kind) {
    case 'refused':
      return outcome;
    case 'aborted':
      return { kind: 'refused', why: ['it was stopped'] };
    case 'conflict':
      return { kind: 'changed-since', paths: outcome.conflicts.map(({ path }) => path) };
  }
}

/** Paths that are no longer what the last program of the command left. */
function changedSince(
  { workspace, commits }: Pick<UndoRequest, 'workspace' | 'commits'>,
  programs: readonly KeptCommit[],
): string[] {
  const isVersion = createIsVersion(() => keptCommits(commits));
  const folders = openHostFolders(workspace);
  try {
    return [...leftByAll(programs)].flatMap(([path, stamp]) => {
      const at = atOrNull(path, folders);
      return isVersion(path, at === null ? null : stampOf(at), stamp) ? [] : [path];
    });
  } finally {
    folders.close();
  }
}

/** What the programs of a command left in all: what one put, a later one may have removed with its folder. */
function leftByAll(programs: readonly KeptCommit[]): ReadonlyMap<string, Stamp | null> {
  const left = new Map<string, Stamp | null>();
  for (const { journal } of programs) {
    for (const { op, path } of journal.entries) {
      if (op !== 'remove') continue;
      for (const below of left.keys()) if (isAt(below, path)) left.delete(below);
    }
    for (const [path, stamp] of Object.entries(journal.left ?? {})) left.set(path, stamp);
  }
  return left;
}

/** Every look that git takes may write it anew: where that has happened it stays as it is. */
const GIT_INDEX = '.git/index';

/** Later than all that changes: what stands there was compared by its stamp already. */
const NEVER = 2n ** 62n;
/** The commit that is taken back was allowed to write there. */
const FREE = (): null => null;

type WayBack = { readonly changes: readonly Change[]; readonly restored: Readonly<Record<string, Stamp>> };

/** The changes that lead from what stands there now to what stood there before a commit. */
function wayBack(workspace: string, { folder, journal }: KeptCommit): WayBack {
  const folders = openHostFolders(workspace);
  try {
    return changesBack(folder, journal, folders);
  } finally {
    folders.close();
  }
}

function changesBack(folder: string, journal: Journal, folders: HostFolders): WayBack {
  const { entries } = journal;
  const ours = new Set(entries.filter(({ op }) => op !== 'attributes').map(({ path }) => path));
  const removals: Change[] = [];
  const additions: Change[] = [];
  const attributes: Change[] = [];
  const gone: string[] = [];
  const restored: Record<string, Stamp> = {};

  function remove(path: string): void {
    const standing = standingOf(path, folders);
    if (standing === null || isRemoved(path)) return;
    gone.push(path);
    removals.push({ op: 'remove', path, standing });
  }

  function add(path: string, source: string): void {
    const original = standingAt(source);
    if (original === null) return;
    restored[path] = toStamp(original);
    if (original.kind === 'directory') {
      additions.push({ op: 'make', path, mode: original.mode });
      for (const name of readdirSync(source).toSorted()) add(`${path}/${name}`, join(source, name));
      return;
    }
    const now = standingOf(path, folders);
    const isReplaced = now !== null && (now.kind === 'directory' || isRemoved(path));
    if (isReplaced) remove(path);
    additions.push(putOf(path, source, { original, standing: isReplaced ? null : now }));
  }

  const isRemoved = (path: string): boolean => gone.some((above) => isAt(path, above));

  for (const entry of entries) {
    if (entry.op === 'make' && holdsOnly(entry.path, ours, folders)) remove(entry.path);
    if (entry.op === 'put' && entry.before === null) remove(entry.path);
  }
  for (const entry of entries) {
    if (entry.op === 'remove') add(entry.path, originalOf(folder, entry.index));
    if (entry.op === 'put' && entry.before !== null) add(entry.path, originalOf(folder, entry.index));
    if (entry.op === 'attributes' && entry.before !== null) {
      const standing = standingOf(entry.path, folders);
      if (standing === null) continue;
      restored[entry.path] = entry.before.stamp;
      attributes.push(attributesOf(entry.path, entry.before, standing));
    }
  }
  return { changes: [...removals, ...additions, ...attributes], restored };
}

function putOf(
  path: string,
  source: string,
  { original, standing }: { original: Standing; standing: Standing | null },
): Change {
  const { mode, bytes, mtimeNs } = original;
  const kind = original.kind === 'link' ? 'link' : 'file';
  return { op: 'put', path, kind, source, mode, bytes, mtimeNs, standing };
}

function attributesOf(path: string, before: Attributes, standing: Standing): Change {
  const mtimeNs = before.mtimeNs === null ? null : BigInt(before.mtimeNs);
  return { op: 'attributes', path, mode: before.mode, mtimeNs, standing };
}

/** Whether a folder holds nothing that others have put there. */
function holdsOnly(path: string, ours: ReadonlySet<string>, folders: HostFolders): boolean {
  const at = atOrNull(path, folders);
  if (at === null || standingAt(at)?.kind !== 'directory') return false;
  return readdirSync(at, { withFileTypes: true }).every((entry) => {
    const below = `${path}/${entry.name}`;
    return ours.has(below) && (!entry.isDirectory() || holdsOnly(below, ours, folders));
  });
}

function isAt(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`);
}

function standingOf(path: string, folders: HostFolders): Standing | null {
  const at = atOrNull(path, folders);
  return at === null ? null : standingAt(at);
}

function atOrNull(path: string, folders: HostFolders): string | null {
  try {
    return folders.at(path);
  } catch (cause) {
    if (isUnreachable(cause)) return null;
    throw cause;
  }
}
