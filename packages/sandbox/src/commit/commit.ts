import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CommitAnswer,
  errorText,
  type ExecutionHooks,
  type FileTouch,
  SandboxError,
} from '@signalbox/core';
import { firstDenied } from '../denials/denied-paths.ts';
import type { ReadView } from '../denials/read-view.ts';
import { codeOf } from '../files/file-failure.ts';
import { kernelTimeBy, nextKernelTick } from '../kernel-time.ts';
import { type GitJudgement, whyNotGit, withAsks } from '../git/git-judgement.ts';
import { gitLinesOf } from '../git/git-lines.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { createTurns, FILES, flatMapInTurns, type Turn } from '../turns.ts';
import { changedPaths } from './check-base.ts';
import { type Conflict, conflictOf } from './conflict-of.ts';
import { entriesOf, leftBy } from './entries.ts';
import { gitContents } from './git-contents.ts';
import { openHostFolders } from './disk/host-folders.ts';
import {
  type CommitLocation,
  beginJournal,
  endJournal,
  type Journal,
  reopenJournal,
  type Stamp,
} from './disk/journal.ts';
import { keepPutCopies } from './kept/put-copies.ts';
import { withLineCounts } from './line-counts.ts';
import { mergeChanged } from './merge.ts';
import { revertAll } from './disk/revert-all.ts';
import { type Staged, stageFiles, syncStaged } from './disk/stage.ts';
import { apply, PathChangedError } from './disk/swap.ts';
import { touchesOf, withSizes } from './touches.ts';
import { type CommitWriter, registerWriter, toFolderName } from './disk/writer.ts';

/** Retried for a second: a `cp` of attributes outlives a killed coordinator by some milliseconds. */
const GONE = { recursive: true, force: true, maxRetries: 20, retryDelay: 5 } as const;

export type CommitRequest = {
  readonly commandId: string;
  /** Absolute path with links resolved. */
  readonly workspace: string;
  /** Folder of all commits, on the workspace's file system. */
  readonly commits: string;
  /** This process as one of several that may commit there. Default: it is the only one while it lives. */
  readonly writer?: CommitWriter | undefined;
  readonly changes: readonly WriteSetChange[];
  /** Start of the command by the kernel's time, in nanoseconds. The command did not see later changes. */
  readonly since: bigint;
  /** Why a path may not be changed, or null. */
  readonly whyRefused: (path: string) => string | null;
  /** Which changes below `.git` are forbidden or need approval. Default: all are allowed. */
  readonly judgeGit?: ((changes: readonly WriteSetChange[]) => GitJudgement) | undefined;
  /** Whether a path was hidden from the command; such a path stays in place. Default: none was. */
  readonly isMasked?: ((path: string) => boolean) | undefined;
  /** The only paths the command could read. Default: no such limit. */
  readonly view?: ReadView | null;
  /** `merge` commits a clean merge when others changed a file too. Default `conflict`. */
  readonly onConflict?: 'conflict' | 'merge' | undefined;
  readonly mayCommit?: ExecutionHooks['mayCommit'] | undefined;
  /** For an undo: the stamp of each restored version, by path. */
  readonly restored?: Readonly<Record<string, Stamp>>;
  /** Nothing is committed once aborted. */
  readonly signal: AbortSignal;
  /** Called between steps; tests kill the process there. */
  readonly onStep?: (step: string) => void;
};

export type CommitOutcome =
  | {
      readonly kind: 'committed';
      readonly changes: readonly FileTouch[];
      /** Changes below `.git`, one per line. */
      readonly git: readonly string[];
      /** Files that contain changes of others as well. */
      readonly merged: readonly string[];
    }
  | Conflict
  | { readonly kind: 'refused'; readonly why: readonly string[] }
  | { readonly kind: 'aborted' };

/**
 * Commits what a command wrote to the workspace: all or nothing, even if we are killed.
 *
 *   stage ──▶ may I? ──▶ unchanged, or merged? ──▶ journal ──▶ swap ──▶ done
 *
 * Nothing changes before the journal is written. From then until `done`, {@link recoverCommits} rolls back what
 * was swapped. Replaced and removed files are kept for `undo`.
 *
 * @throws {SandboxError} when writing fails; the workspace is unchanged
 * @throws {RollbackFailedError} when the workspace is partly changed, since the rollback failed too
 */
export async function commit(request: CommitRequest): Promise<CommitOutcome> {
  const { workspace, changes } = request;
  const git = request.judgeGit?.(changes);
  const refused = await flatMapInTurns(changes, async (change, turn) => {
    const why = whyNotGit(change, git) ?? (await whyNot(change, request, turn));
    return why === null ? [] : [why];
  });
  if (refused.length > 0) return { kind: 'refused', why: firstOf(refused) };
  const folder = newCommitFolder(request);
  const folders = openHostFolders(workspace);
  let isKept = false;
  try {
    const puts = changes.filter((change) => change.op === 'put');
    const staged = await stageFiles(folder, workspace, { puts });
    request.onStep?.('staged');
    // Runs in other threads while the changes are judged; awaited before anything is committed.
    let onDisk = syncStaged(folder, staged);
    onDisk.catch(() => undefined);
    const touches = withAsks(await touchesOf(changes, staged, folders), git);
    const answer = await mayCommit(request, withSizes(touches, changes));
    if (answer.kind === 'conflict') return { kind: 'conflict', conflicts: [], why: answer.why };
    if (answer.kind === 'denied') return { kind: 'refused', why: answer.why };
    if (request.signal.aborted) return { kind: 'aborted' };
    const changed = await changedPaths(changes, folders, request);
    const paths = changed.map(({ path }) => path);
    const mergeable = request.onConflict === 'merge' && changed.length > 0;
    const merged = mergeable ? await mergeChanged(paths, { ...request, folder, staged, folders }) : null;
    if (changed.length > 0 && merged === null) return await conflictOf(changed, staged, folders);
    const wanted = { ...request, changes: merged ?? changes };
    const touched = merged === null ? touches : await touchesOf(merged, staged, folders);
    if (merged !== null) onDisk = Promise.all([onDisk, syncStaged(folder, staged)]).then(() => undefined);
    let reported = { changes: touched, git: EMPTY };
    /** Compares with the files as they are before the commit. */
    const computeReport = async (): Promise<void> => {
      const counted = await withLineCounts(touched, { folder, staged, folders });
      reported = { changes: counted, git: gitLinesOf(touched, gitContents(folders, { folder, staged })) };
      await keepPutCopies(folder, staged, request.writer?.holdsSecret);
    };
    const other = await swap(wanted, { folder, staged, onDisk, computeReport });
    if (other !== null) return await conflictOf([{ path: other, how: 'changed' }], staged, folders);
    isKept = true;
    return { kind: 'committed', ...reported, merged: merged === null ? [] : paths };
  } catch (cause) {
    isKept = cause instanceof RollbackFailedError;
    if (cause instanceof SandboxError) throw cause;
    const why = cause instanceof Error ? [cause.message] : [];
    throw new SandboxError('Cannot write the files of the command to the workspace', { cause, why });
  } finally {
    folders.close();
    if (!isKept) await rm(folder, GONE);
  }
}

async function mayCommit(
  request: Pick<CommitRequest, 'changes' | 'mayCommit'>,
  touches: readonly FileTouch[],
): Promise<CommitAnswer> {
  const removed = request.changes.flatMap((change) =>
    change.op === 'remove' && change.existing.kind === 'directory' ? [change.path] : [],
  );
  if (touches.length === 0 && removed.length === 0) return OK;
  return (await request.mayCommit?.(touches, removed)) ?? OK;
}

/** Folder of all commits. */
export function commitsOf(stateFolder: string): string {
  return join(stateFolder, 'commits');
}

/** Numbered, as a tool may run several programs under one command. */
function newCommitFolder({ commits, commandId, writer }: CommitRequest): string {
  mkdirSync(commits, { recursive: true, mode: 0o700 });
  if (writer !== undefined) registerWriter(commits, writer);
  for (let number = 1; ; number++) {
    const name = toFolderName({ commandId, number, writerId: writer?.id ?? null });
    const folder = join(commits, name);
    try {
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') throw cause;
    }
  }
}

/** A commit is partly applied. Its folder is kept for a later rollback. */
export class RollbackFailedError extends SandboxError {}

const OK: CommitAnswer = { kind: 'ok' };
const MAX_NAMED = 20;
const EMPTY: readonly string[] = [];

async function whyNot(
  change: WriteSetChange,
  { workspace, whyRefused, isMasked, view }: CommitRequest,
  turn: Turn,
): Promise<string | null> {
  const { op, path } = change;
  if (op === 'special') return `${path}: ${change.why}`;
  const why = whyRefused(path);
  if (why !== null) return `${path}: ${why}`;
  // An overlay of root can move folders, and masked paths in them move along.
  const goes = (op === 'remove' || op === 'put') && change.existing !== null;
  if (!goes || isMasked === undefined) return null;
  const masked = await firstDenied(workspace, path, { isDenied: isMasked, view, turn });
  return masked === null ? null : `${masked}: hidden by policy, so it can't be moved, replaced or removed`;
}

function firstOf(why: readonly string[]): readonly string[] {
  const more = why.length - MAX_NAMED;
  return more > 0 ? [...why.slice(0, MAX_NAMED), `and ${more} more`] : why;
}

type StagedCommit = {
  readonly folder: string;
  readonly staged: ReadonlyMap<string, Staged>;
  /** Settles when all of it is on the disk. */
  readonly onDisk: Promise<void>;
  /** Computes the report while waiting for the disk, so that it takes no extra time. */
  readonly computeReport: () => Promise<void>;
};

/** Null when it is done; otherwise the path that was changed at the last moment, and nothing was committed. */
async function swap(
  request: CommitRequest,
  { folder, staged, onDisk, computeReport }: StagedCommit,
): Promise<string | null> {
  const { workspace, commandId, restored, onStep } = request;
  const folders = openHostFolders(workspace);
  try {
    const entries = await entriesOf(request.changes, staged, folders);
    const journal: Journal = {
      commandId,
      entries,
      ...(restored === undefined ? {} : { restored }),
    };
    const waits = [onDisk, beginJournal(folder, journal), computeReport()];
    // If one fails, none of the others continues in the background.
    await Promise.allSettled(waits);
    await Promise.all(waits);
    onStep?.('journal');
    const turn = createTurns(FILES);
    let swappedAt: bigint;
    try {
      for (const [index, entry] of journal.entries.entries()) {
        apply(entry, folder, folders);
        onStep?.(`entry ${index}`);
        await turn();
      }
      swappedAt = kernelTimeBy(folder);
      await endJournal(folder, await leftBy(journal.entries, staged, folders));
      onStep?.('done');
      // Synced after the journal: file systems keep the order of such changes, so one wait covers both.
      await folders.sync();
    } catch (cause) {
      await rollBack(journal, cause, { workspace, folder });
      if (cause instanceof PathChangedError) return cause.path;
      throw cause;
    }
    // A command that starts after us must not mistake our writes for changes made during its run.
    await nextKernelTick(folder, swappedAt);
    return null;
  } finally {
    folders.close();
  }
}

/** @throws {SandboxError} when that fails too; its folder must be kept for the next start */
async function rollBack(journal: Journal, why: unknown, location: CommitLocation): Promise<void> {
  try {
    reopenJournal(location.folder);
    await revertAll(journal, location);
  } catch (cause) {
    const reasons = [why, cause].map((error) => errorText(error));
    throw new RollbackFailedError(
      'Some changes were applied and could not be rolled back; the workspace is partly updated',
      {
        cause,
        why: reasons,
        next: ['Fix what is named above; the rollback is retried every minute and at the next start'],
      },
    );
  }
}

/** Drops a commit. Its done marker is removed first: an incomplete copy could not be undone. */
export async function discardCommit(folder: string): Promise<void> {
  await rm(join(folder, 'done.json'), { force: true });
  await rm(folder, GONE);
}
