import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SandboxError } from '@signalbox/core';
import { codeOf } from '../files/file-failure.ts';
import { shadowsIn } from '../shadow-git/shadow-git.ts';
import { commitsOf, discardCommit } from './commit.ts';
import { type CommitLocation, type Journal, readJournal } from './disk/journal.ts';
import { revertAll } from './disk/revert-all.ts';
import {
  type CommitName,
  type CommitWriter,
  forgetWriter,
  readWriter,
  registerWriter,
  toCommitName,
  toFolderName,
  writerIds,
} from './disk/writer.ts';

export type RecoverOptions = {
  /** Absolute path with links resolved. Default: the parent of the state folder. */
  readonly workspace?: string;
  /**
   * This process. It takes commits over, so that only one of several recovering processes rolls each back.
   * Default: it is alone.
   */
  readonly writer?: CommitWriter;
  /** Whether another process is certainly dead and will commit nothing more. Default: every other one is. */
  readonly isGone?: (writer: CommitWriter) => Promise<boolean>;
};

/**
 * Recovers the commits of dead processes: an interrupted commit is rolled back, so that the workspace is as
 * before it. Commits of living processes are left alone. Call it before any command runs, and again when
 * another process has died.
 *
 * @returns Ids of the commands whose commit was rolled back.
 * @throws {SandboxError} when a rollback fails; the next call tries again
 */
export async function recoverCommits(stateFolder: string, options: RecoverOptions = {}): Promise<string[]> {
  const commits = commitsOf(stateFolder);
  mkdirSync(commits, { recursive: true, mode: 0o700 });
  const isGone = askedOnce(commits, options);
  const { workspace = dirname(stateFolder) } = options;
  const takenBack: string[] = [];
  for (const folderName of readdirSync(commits)) {
    const name = toCommitName(folderName);
    // With both names present, `done` counts.
    if (name === null || isDone(join(commits, folderName)) || !(await isGone(name.writerId))) continue;
    const folder = takeOver(commits, { from: folderName, name, writer: options.writer });
    if (folder !== null && (await settle(folder, workspace))) takenBack.push(name.commandId);
  }
  if (options.writer !== undefined) registerWriter(commits, options.writer);
  for (const id of writerIds(commits)) if (await isGone(id)) forgetWriter(commits, id);
  forgetShadows(stateFolder, writerIds(commits));
  return takenBack;
}

/**
 * Rolls back partly applied commits of one of our own commands. None of them may be in progress.
 *
 * @throws {SandboxError} when that fails; the next call tries again
 */
export async function takeBackCutOff(
  commits: string,
  { workspace, commandId }: { readonly workspace: string; readonly commandId: string },
): Promise<void> {
  for (const folderName of readdirSync(commits)) {
    const folder = join(commits, folderName);
    if (toCommitName(folderName)?.commandId === commandId && !isDone(folder)) await settle(folder, workspace);
  }
}

/** Removes the shadow git folders of dead processes. */
function forgetShadows(stateFolder: string, living: readonly string[]): void {
  const shadows = shadowsIn(stateFolder);
  if (!existsSync(shadows)) return;
  for (const name of readdirSync(shadows)) {
    if (!living.includes(name)) rmSync(join(shadows, name), { recursive: true, force: true });
  }
}

/** Asks about each process once. One that dies meanwhile is handled by the next call. */
function askedOnce(
  commits: string,
  { writer, isGone = async () => true }: RecoverOptions,
): (id: string | null) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  return async (id) => {
    if (id === null) return true;
    if (id === writer?.id) return false;
    const answer = answers.get(id) ?? isGone(readWriter(commits, id));
    answers.set(id, answer);
    return answer;
  };
}

/**
 * Takes a commit over atomically. Its writer, if it resumes, no longer finds its files, and of several
 * recovering processes only one rolls it back. Null if another one was first, or the commit has finished.
 */
function takeOver(
  commits: string,
  { from, name, writer }: { from: string; name: CommitName; writer: CommitWriter | undefined },
): string | null {
  if (writer !== undefined) registerWriter(commits, writer);
  const folder = join(commits, toFolderName({ ...name, writerId: writer?.id ?? null }));
  try {
    renameSync(join(commits, from), folder);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null;
    throw cause;
  }
  return isDone(folder) ? null : folder;
}

function isDone(folder: string): boolean {
  return statSync(join(folder, 'done.json'), { throwIfNoEntry: false }) !== undefined;
}

/** Returns whether something had to be rolled back. */
async function settle(folder: string, workspace: string): Promise<boolean> {
  const cutOff = await readJournal(folder, 'swapping');
  if (cutOff !== null) await revertCutOff(cutOff, { workspace, folder });
  await discardCommit(folder);
  return cutOff !== null;
}

async function revertCutOff(journal: Journal, location: CommitLocation): Promise<void> {
  try {
    await revertAll(journal, location);
  } catch (cause) {
    throw new SandboxError(
      `Cannot roll back the files of ${journal.commandId}, whose commit was interrupted`,
      {
        cause,
        why: cause instanceof Error ? [cause.message] : [],
        next: ['Fix what is named above, then start again: the rollback data is kept until then'],
      },
    );
  }
}
