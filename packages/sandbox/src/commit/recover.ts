import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SandboxError } from '@signalbox/core';
import { codeOf } from '../files/file-failure.ts';
import { shadowsIn } from '../shadow-git/shadow-git.ts';
import { commitsOf, discardCommit } from './commit.ts';
import { type CommitLocation, type Journal, readJournal } from './journal.ts';
import { revertAll } from './revert-all.ts';
import {
  type CommitName,
  type CommitWriter,
  forgetWriter,
  readWriter,
  registerWriter,
  toCommitName,
  toFolderName,
  writerIds,
} from './writer.ts';

export type RecoverOptions = {
  /** Absolute and real. Default: the folder that the state folder lies in. */
  readonly workspace?: string;
  /** This process. It takes commits over, so that of several who recover one takes each back. Default: it is alone. */
  readonly writer?: CommitWriter;
  /** Whether that other process is dead for sure, and will put nothing more. Default: every other is. */
  readonly isGone?: (writer: CommitWriter) => Promise<boolean>;
};

/**
 * Settles what dead processes left: a commit that was cut off is taken back, so that the workspace is as before it.
 * Those that living ones are making are left to them. To be called before any command runs, and again when one of
 * several processes has died.
 *
 * @returns Ids of the commands whose commit was taken back.
 * @throws {SandboxError} when one can't be taken back; the next call tries again.
 */
export async function recoverCommits(stateFolder: string, options: RecoverOptions = {}): Promise<string[]> {
  const commits = commitsOf(stateFolder);
  mkdirSync(commits, { recursive: true, mode: 0o700 });
  const isGone = askedOnce(commits, options);
  const { workspace = dirname(stateFolder) } = options;
  const takenBack: string[] = [];
  for (const folderName of readdirSync(commits)) {
    const name = toCommitName(folderName);
    // `done` counts beside `swapping`.
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
 * Takes back what commits of one command of our own left half-way: none of them may be at work.
 *
 * @throws {SandboxError} when that can't be done; the next call tries again.
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

/** What the gits of processes that are gone have left. */
function forgetShadows(stateFolder: string, living: readonly string[]): void {
  const shadows = shadowsIn(stateFolder);
  if (!existsSync(shadows)) return;
  for (const name of readdirSync(shadows)) {
    if (!living.includes(name)) rmSync(join(shadows, name), { recursive: true, force: true });
  }
}

/** One that dies meanwhile is for the next call. */
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
 * Makes a commit ours in one step: its writer, should it wake, no longer finds what it would put, and of several who
 * recover only one takes it back. Null when that is another, or it has come to its end.
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

/** Whether something had to be taken back. */
async function settle(folder: string, workspace: string): Promise<boolean> {
  const cutOff = await readJournal(folder, 'swapping');
  if (cutOff !== null) await revertCutOff(cutOff, { workspace, folder });
  await discardCommit(folder);
  return cutOff !== null;
}

async function revertCutOff(journal: Journal, place: CommitLocation): Promise<void> {
  try {
    await revertAll(journal, place);
  } catch (cause) {
    throw new SandboxError(`Cannot take back the files of ${journal.commandId}, which was cut off`, {
      cause,
      why: cause instanceof Error ? [cause.message] : [],
      next: ['Fix what is named above, then start again: what rolls them back is kept until then'],
    });
  }
}
