import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../files/file-failure.ts';
import { flatMapInTurns } from '../turns.ts';
import { type Journal, readJournal } from './journal.ts';
import { toCommitName } from './writer.ts';

/** A commit that is done, with what it replaced. */
export type KeptCommit = {
  readonly folder: string;
  readonly journal: Journal;
  /** Time of the kernel when it was done, in nanoseconds. */
  readonly doneAt: bigint;
};

/** Of all commits that are kept, the oldest first. */
export async function keptCommits(commits: string): Promise<KeptCommit[]> {
  const kept = await flatMapInTurns(namesIn(commits), (name) => keptAt(join(commits, name)));
  return kept.toSorted((one, other) => (one.doneAt < other.doneAt ? -1 : one.doneAt > other.doneAt ? 1 : 0));
}

/** Of all programs of one command, the first first. */
export async function commitsOfCommand(commits: string, commandId: string): Promise<KeptCommit[]> {
  const programs = namesIn(commits)
    .flatMap((folder) => {
      const name = toCommitName(folder);
      return name?.commandId === commandId ? [{ folder, number: name.number }] : [];
    })
    .toSorted((one, other) => one.number - other.number);
  return await flatMapInTurns(programs, ({ folder }) => keptAt(join(commits, folder)));
}

/**
 * All that were done from a time on, the oldest first; null when one of them may have been let go of.
 *
 * @param since Time of the kernel, in nanoseconds.
 */
export async function commitsSince(commits: string, since: bigint): Promise<KeptCommit[] | null> {
  const kept = await keptCommits(commits);
  // Asked when all are read: the oldest are let go of first, so that no later one was before this one.
  const isWhole = kept.some((one) => one.doneAt < since && isKept(one)) || !existsSync(letGoFile(commits));
  return isWhole ? kept.filter(({ doneAt }) => doneAt >= since) : null;
}

/** From now on not all commits are kept. To be called before the first of them goes. */
export function noteLetGo(commits: string): void {
  writeFileSync(letGoFile(commits), '', { mode: 0o600 });
}

function letGoFile(commits: string): string {
  return join(commits, '..', 'commits-let-go');
}

/** Whether it is kept still. */
export function isKept({ folder }: KeptCommit): boolean {
  return existsSync(join(folder, 'done.json'));
}

async function keptAt(folder: string): Promise<KeptCommit[]> {
  const done = statSync(join(folder, 'done.json'), { bigint: true, throwIfNoEntry: false });
  const journal = done === undefined ? null : await readJournal(folder, 'done');
  return done === undefined || journal === null ? [] : [{ folder, journal, doneAt: done.ctimeNs }];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw cause;
  }
}
