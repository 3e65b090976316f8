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
import { openHostFolders } from './host-folders.ts';
import {
  type CommitLocation,
  beginJournal,
  endJournal,
  type Journal,
  reopenJournal,
  type Stamp,
} from './journal.ts';
import { keepLeft } from './keep-left.ts';
import { withLineCounts } from './line-counts.ts';
import { mergeChanged } from './merge.ts';
import { revertAll } from './revert-all.ts';
import { type Staged, harness, syncStaged } from './stage.ts';
import { apply, PathChangedError } from './swap.ts';
import { touchesOf, withSizes } from './touches.ts';
import { type CommitWriter, registerWriter, toFolderName } from './writer.ts';

/** Tried again for a second: a `cp` of attributes outlives a coordinator that is killed, by some milliseconds. */
const GONE = { recursive: true, force: true, maxRetries: 20, retryDelay: 5 } as const;

export type CommitRequest = {
  readonly commandId: string;
  /** Absolute and real. */
  readonly workspace: string;
  /** Folder of all commits, on the workspace's file system. */
  readonly commits: string;
  /** This process, where others may commit there too. Default: nobody else does while it lives. */
  readonly writer?: CommitWriter | undefined;
  readonly changes: readonly WriteSetChange[];
  /** Start of the command in the kernel's time, nanoseconds: what changed since is not what it saw. */
  readonly since: bigint;
  /** Why a path may not be changed, or null. */
  readonly whyRefused: (path: string) => string | null;
  /** What may not be put below `.git`, and what a person has to agree to. Default: all may. */
  readonly judgeGit?: ((changes: readonly WriteSetChange[]) => GitJudgement) | undefined;
  /** Whether the command could not read a path, which stays where it is then. Default: it could read all. */
  readonly isMasked?: ((path: string) => boolean) | undefined;
  /** What alone its command could read. Default: all. */
  readonly view?: ReadView | null;
  /** `merge`: where others changed a file too, a clean merge of both is put. Default `conflict`. */
  readonly onConflict?: 'conflict' | 'merge' | undefined;
  readonly mayCommit?: ExecutionHooks['mayCommit'] | undefined;
  /** Of an undo: by path, the stamp that the version had which is put back. */
  readonly restored?: Readonly<Record<string, Stamp>>;
  /** Once aborted nothing is put any more. */
  readonly signal: AbortSignal;
  /** Called between steps, for tests that end the process there. */
  readonly onStep?: (step: string) => void;
};

export type CommitOutcome =
  | {
      readonly kind: 'committed';
      readonly changes: readonly FileTouch[];
      /** What changed below `.git`, a line each. */
      readonly git: readonly string[];
      /** Files that hold what others wrote meanwhile, too. */
      readonly merged: readonly string[];
    }
  | Conflict
  | { readonly kind: 'refused'; readonly why: readonly string[] }
  | { readonly kind: 'aborted' };

/**
 * Puts what a command wrote into the workspace: all of it or nothing, whatever kills us.
 *
 *   stage ──▶ may I? ──▶ unchanged, or merged? ──▶ journal ──▶ swap ──▶ done
 *
 * Until the journal stands nothing has happened; from then on until `done`, {@link recoverCommits} takes back
 * what was swapped. What is replaced or removed is kept, for `undo`.
 *
 * @throws {SandboxError} when the disk does not let it; the workspace is as it was.
 * @throws {RollbackFailedError} when it is not, since what was swapped could not be taken back.
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
    const staged = await harness(folder, workspace, puts);
    request.onStep?.('staged');
    // In other threads, while it is judged; whether that failed is asked before anything is put.
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
    /** With what stands there before anything is put. */
    const tell = async (): Promise<void> => {
      const counted = await withLineCounts(touched, { folder, staged, folders });
      reported = { changes: counted, git: gitLinesOf(touched, gitContents(folders, { folder, staged })) };
      await keepLeft(folder, staged, request.writer?.holdsSecret);
    };
    const other = await swap(wanted, { folder, staged, onDisk, tell });
    if (other !== null) return await conflictOf([{ path: other, how: 'changed' }], staged, folders);
    isKept = true;
    return { kind: 'committed', ...reported, merged: merged === null ? [] : paths };
  } catch (cause) {
    isKept = cause instanceof RollbackFailedError;
    if (cause instanceof SandboxError) throw cause;
    const why = cause instanceof Error ? [cause.message] : [];
    throw new SandboxError('Cannot put the files of the command into the workspace', { cause, why });
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
    change.op === 'remove' && change.standing.kind === 'directory' ? [change.path] : [],
  );
  if (touches.length === 0 && removed.length === 0) return OK;
  return (await request.mayCommit?.(touches, removed)) ?? OK;
}

/** Folder of all commits. */
export function commitsOf(stateFolder: string): string {
  return join(stateFolder, 'commits');
}

/** A tool may run several programs under one command, which are numbered. */
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

/** The workspace holds a part of a commit, whose folder is kept. */
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
  // Root's overlay moves folders, and what is masked in one moves along.
  const goes = (op === 'remove' || op === 'put') && change.standing !== null;
  if (!goes || isMasked === undefined) return null;
  const masked = await firstDenied(workspace, path, { isDenied: isMasked, view, turn });
  return masked === null ? null : `${masked}: policy hides it, so it can not be moved, replaced or removed`;
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
  /** Finds out what to tell of it, which costs nothing while the disk is waited for. */
  readonly tell: () => Promise<void>;
};

/** Null when it is done, or the path that somebody changed at the last moment; then nothing has happened. */
async function swap(
  request: CommitRequest,
  { folder, staged, onDisk, tell }: StagedCommit,
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
    const waits = [onDisk, beginJournal(folder, journal), tell()];
    // Where one fails, none of the others goes on behind us.
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
      // After it: file systems keep the order of such changes, so that one wait is for both.
      await folders.sync();
    } catch (cause) {
      await takeBack(journal, { workspace, folder }, cause);
      if (cause instanceof PathChangedError) return cause.path;
      throw cause;
    }
    // Who starts after us must not take what we put for a change made under it.
    await nextKernelTick(folder, swappedAt);
    return null;
  } finally {
    folders.close();
  }
}

/** @throws {SandboxError} when that fails too: then its folder must stay, for the next start. */
async function takeBack(journal: Journal, place: CommitLocation, why: unknown): Promise<void> {
  try {
    reopenJournal(place.folder);
    await revertAll(journal, place);
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

/** Lets go of a commit. Its word of being done goes first: what is kept in part could not be undone. */
export async function discardCommit(folder: string): Promise<void> {
  await rm(join(folder, 'done.json'), { force: true });
  await rm(folder, GONE);
}
