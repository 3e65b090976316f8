import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileTouch, SandboxError, type UndoAnswer, UsageError } from '@signalbox/core';
import { type ExistingEntry, statAt } from '../../overlay/file-stat.ts';
import type { WriteSetChange } from '../../overlay/write-set.ts';
import { createTurns, flatMapInTurns, type Turn } from '../../turns.ts';
import { commit, type CommitOutcome, type CommitRequest, RollbackFailedError } from '../commit.ts';
import { addedObjects } from '../kept/added-objects.ts';
import { foldersAbove, isAtAny } from '../disk/folders-above.ts';
import { type HostFolders, isUnreachable, openHostFolders } from '../disk/host-folders.ts';
import type { Attributes, Journal, Stamp } from '../disk/journal.ts';
import { commitsOfCommand, type KeptCommit, keptCommits } from '../kept/kept-commits.ts';
import { remainingVersions } from './remaining-versions.ts';
import { originalOf, stampOf, toStamp } from '../disk/swap.ts';
import { createIsVersion } from '../kept/versions.ts';

export type UndoRequest = Pick<CommitRequest, 'workspace' | 'commits' | 'writer' | 'mayCommit' | 'signal'> & {
  /** The command whose changes are undone. */
  readonly undone: string;
  /** The command of the undo. The files it replaces are kept under this id, so that it can be undone itself. */
  readonly commandId: string;
  /** Whether to restore paths that others changed since. */
  readonly isForced: boolean;
  /** Files to restore. Default: all it changed. */
  readonly only?: readonly string[] | undefined;
};

/**
 * Undoes the commits of a command if its files have not changed since. The undo is a commit itself: all or
 * nothing, and kept.
 *
 * @throws {UsageError} `nothing-to-undo` when no copies of that command are kept
 */
export async function undo(request: UndoRequest): Promise<UndoAnswer> {
  const { commits, undone, isForced, only } = request;
  const wanted = only === undefined ? null : new Set(only);
  const programs = await commitsOfCommand(commits, undone);
  if (programs.length === 0) {
    throw new UsageError('nothing-to-undo', `Cannot undo ${undone}: no undo copy exists`, {
      why: ['it changed no files, or its copies were dropped: they are kept by age and size'],
    });
  }
  const changed = (await changedSince(request, programs)).filter((path) => wanted?.has(path) !== false);
  const paths = isForced ? [] : changed.filter((path) => path !== GIT_INDEX);
  if (paths.length > 0) return { kind: 'changed-since', paths };
  const keepsIndex = !isForced && changed.includes(GIT_INDEX);
  const isTaken = (path: string): boolean =>
    wanted === null ? !keepsIndex || path !== GIT_INDEX : wanted.has(path);
  const touched: FileTouch[] = [];
  // The last program first, as it may have changed files of an earlier one.
  for (const program of programs.toReversed()) {
    const outcome = await undoProgram(program, { isTaken, isPart: wanted !== null }, request).catch(
      async (cause: unknown) => {
        if (!(cause instanceof RollbackFailedError)) await redoPrograms(request);
        throw cause;
      },
    );
    if (outcome.kind !== 'committed') {
      await redoPrograms(request);
      return answerOf(outcome);
    }
    for (const touch of outcome.changes) touched.push(touch);
  }
  return { kind: 'undone', changes: touched };
}

async function undoProgram(
  kept: KeptCommit,
  { isTaken, isPart }: { readonly isTaken: (path: string) => boolean; readonly isPart: boolean },
  {
    commandId,
    workspace,
    commits,
    writer,
    mayCommit,
    signal,
  }: Omit<UndoRequest, 'undone' | 'isForced' | 'only'>,
): Promise<CommitOutcome> {
  const { changes, restored } = await inverseOf(workspace, kept);
  const of = { commandId, workspace, commits, writer, restored, mayCommit, signal };
  return commit({
    ...of,
    changes: isPart ? partOf(changes, workspace, isTaken) : changes.filter(({ path }) => isTaken(path)),
    since: NEVER,
    whyRefused: FREE,
  });
}

/** The changes of some files and of missing folders above them. */
function partOf(
  changes: readonly WriteSetChange[],
  workspace: string,
  isTaken: (path: string) => boolean,
): readonly WriteSetChange[] {
  const taken = changes.filter(({ op, path }) => op !== 'make' && isTaken(path));
  const above = new Set(taken.flatMap(({ path }) => foldersAbove(path)));
  const folders = openHostFolders(workspace);
  try {
    const makes = changes.filter(
      ({ op, path }) => op === 'make' && above.has(path) && existingAt(path, folders) === null,
    );
    return [
      ...taken.filter(({ op }) => op === 'remove'),
      ...makes,
      ...taken.filter(({ op }) => op !== 'remove'),
    ];
  } finally {
    folders.close();
  }
}

/**
 * Restores the programs undone so far, after one of several could not be undone.
 *
 * @throws {SandboxError} when that fails
 */
async function redoPrograms(request: UndoRequest): Promise<void> {
  const own = { ...request, mayCommit: undefined, signal: new AbortController().signal };
  const ownCommits = await commitsOfCommand(request.commits, request.commandId);
  for (const kept of ownCommits.toReversed()) {
    const outcome = await undoProgram(kept, { isTaken: () => true, isPart: false }, own);
    if (outcome.kind === 'committed') continue;
    throw new SandboxError(`Cannot undo ${request.undone} completely: only its last programs were undone`, {
      why: [`${outcome.kind} while they were restored`],
      next: [`See its remaining changes: signalbox diff ${request.undone}`],
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

/** Paths that differ from what the last program of the command left. */
async function changedSince(
  { workspace, commits }: Pick<UndoRequest, 'workspace' | 'commits'>,
  programs: readonly KeptCommit[],
): Promise<string[]> {
  const isVersion = createIsVersion(() => keptCommits(commits));
  const folders = openHostFolders(workspace);
  try {
    return await flatMapInTurns(remainingVersions(programs), async ([path, version]) => {
      const at = atOrNull(path, folders);
      const stamp = at === null ? null : stampOf(at);
      const now = at === null || stamp === null ? null : { stamp, at };
      return (await isVersion(path, now, version)) ? [] : [path];
    });
  } finally {
    folders.close();
  }
}

/** Any git command may rewrite the index. Then it is left as it is. */
const GIT_INDEX = '.git/index';

/** Later than any change: files were already compared by stamp. */
const NEVER = 2n ** 62n;
/** The commit being undone was allowed to write there. */
const FREE = (): null => null;

type InverseChanges = {
  readonly changes: readonly WriteSetChange[];
  readonly restored: Readonly<Record<string, Stamp>>;
};

/** The changes that restore the files from before a commit. */
async function inverseOf(workspace: string, { folder, journal }: KeptCommit): Promise<InverseChanges> {
  const folders = openHostFolders(workspace);
  try {
    return await inverseChanges(folder, journal, folders);
  } finally {
    folders.close();
  }
}

async function inverseChanges(
  folder: string,
  journal: Journal,
  folders: HostFolders,
): Promise<InverseChanges> {
  const { entries } = journal;
  const ours = new Set(entries.filter(({ op }) => op !== 'attributes').map(({ path }) => path));
  const removals: WriteSetChange[] = [];
  const additions: WriteSetChange[] = [];
  const attributes: WriteSetChange[] = [];
  const gone = new Set<string>();
  const kept = addedObjects(journal);
  const turn = createTurns();
  const restored: Record<string, Stamp> = {};

  function remove(path: string): void {
    const existing = existingAt(path, folders);
    if (existing === null || isRemoved(path)) return;
    gone.add(path);
    removals.push({ op: 'remove', path, existing });
  }

  async function add(path: string, source: string): Promise<void> {
    await turn();
    const original = statAt(source);
    if (original === null) return;
    restored[path] = toStamp(original);
    if (original.kind === 'directory') {
      additions.push({ op: 'make', path, mode: original.mode });
      for (const name of (await readdir(source)).toSorted()) await add(`${path}/${name}`, join(source, name));
      return;
    }
    const now = existingAt(path, folders);
    const isReplaced = now !== null && (now.kind === 'directory' || isRemoved(path));
    if (isReplaced) remove(path);
    additions.push(putOf(path, source, { original, existing: isReplaced ? null : now }));
  }

  const isRemoved = (path: string): boolean => isAtAny(path, gone);

  for (const entry of entries) {
    await turn();
    if (isRemoved(entry.path) || kept.has(entry.path)) continue;
    if (entry.op === 'make' && (await holdsOnly(entry.path, { ours, folders, turn }))) remove(entry.path);
    if (entry.op === 'put' && entry.before === null) remove(entry.path);
  }
  for (const entry of entries) {
    await turn();
    if (entry.op === 'remove') await add(entry.path, originalOf(folder, entry.index));
    if (entry.op === 'put' && entry.before !== null) await add(entry.path, originalOf(folder, entry.index));
    if (entry.op === 'attributes' && entry.before !== null) {
      const existing = existingAt(entry.path, folders);
      if (existing === null) continue;
      restored[entry.path] = entry.before.stamp;
      attributes.push(attributesOf(entry.path, entry.before, existing));
    }
  }
  return { changes: [...removals, ...additions, ...attributes], restored };
}

function putOf(
  path: string,
  source: string,
  { original, existing }: { original: ExistingEntry; existing: ExistingEntry | null },
): WriteSetChange {
  const { mode, bytes, mtimeNs } = original;
  const kind = original.kind === 'link' ? 'link' : 'file';
  return { op: 'put', path, kind, source, mode, bytes, mtimeNs, existing };
}

function attributesOf(path: string, before: Attributes, existing: ExistingEntry): WriteSetChange {
  const mtimeNs = before.mtimeNs === null ? null : BigInt(before.mtimeNs);
  return { op: 'attributes', path, mode: before.mode, mtimeNs, existing };
}

/** Whether a folder contains no files of others. */
async function holdsOnly(
  path: string,
  of: { readonly ours: ReadonlySet<string>; readonly folders: HostFolders; readonly turn: Turn },
): Promise<boolean> {
  const at = atOrNull(path, of.folders);
  if (at === null || statAt(at)?.kind !== 'directory') return false;
  for (const entry of await readdir(at, { withFileTypes: true })) {
    await of.turn();
    const below = `${path}/${entry.name}`;
    if (!of.ours.has(below)) return false;
    if (entry.isDirectory() && !(await holdsOnly(below, of))) return false;
  }
  return true;
}

function existingAt(path: string, folders: HostFolders): ExistingEntry | null {
  const at = atOrNull(path, folders);
  return at === null ? null : statAt(at);
}

function atOrNull(path: string, folders: HostFolders): string | null {
  try {
    return folders.at(path);
  } catch (cause) {
    if (isUnreachable(cause)) return null;
    throw cause;
  }
}
