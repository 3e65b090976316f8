import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../files/file-failure.ts';
import { createTurns, flatMapInTurns } from '../turns.ts';
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
  return oldestFirst(kept);
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
 * Those that were done from a time on, the oldest first. `isWhole` is false when one of them may have been let go of.
 *
 * @param since Time of the kernel, in nanoseconds.
 */
export async function commitsSince(
  commits: string,
  since: bigint,
): Promise<{ readonly kept: readonly KeptCommit[]; readonly isWhole: boolean }> {
  const known = knownTimes.get(commits) ?? new Map<string, bigint>();
  const times = new Map<string, bigint>();
  const turn = createTurns();
  for (const name of namesIn(commits)) {
    const at = known.get(name) ?? doneAt(join(commits, name));
    if (at !== null) times.set(name, at);
    await turn();
  }
  const newer = [...times].filter(([, at]) => at >= since).map(([name]) => name);
  const older = [...times].filter(([, at]) => at < since);
  // One that is done just now may yet be taken back.
  knownTimes.set(commits, new Map(older));
  const kept = await flatMapInTurns(newer, (name) => keptAt(join(commits, name)));
  // Asked when all are read: the oldest are let go of first, so that no later one was before this one.
  const isWhole =
    older.some(([name]) => existsSync(join(commits, name, 'done.json'))) || !existsSync(letGoFile(commits));
  return { kept: oldestFirst(kept), isWhole };
}

/** By folder of all commits, when each was done: a look at thousands of them is made once. */
const knownTimes = new Map<string, ReadonlyMap<string, bigint>>();

function oldestFirst(kept: readonly KeptCommit[]): KeptCommit[] {
  return kept.toSorted((one, other) => (one.doneAt < other.doneAt ? -1 : one.doneAt > other.doneAt ? 1 : 0));
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
  const at = doneAt(folder);
  const journal = at === null ? null : await readJournal(folder, 'done');
  return at === null || journal === null ? [] : [{ folder, journal, doneAt: at }];
}

/** Null while it is not done. */
function doneAt(folder: string): bigint | null {
  return statSync(join(folder, 'done.json'), { bigint: true, throwIfNoEntry: false })?.ctimeNs ?? null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw cause;
  }
}
