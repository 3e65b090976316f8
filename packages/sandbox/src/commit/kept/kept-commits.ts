import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../files/file-failure.ts';
import { createTurns, flatMapInTurns } from '../../turns.ts';
import { type Journal, readJournal } from '../disk/journal.ts';
import { toCommitName } from '../disk/writer.ts';

/** A finished commit with the files it replaced. */
export type KeptCommit = {
  readonly folder: string;
  readonly journal: Journal;
  /** When it was done, by the kernel's time in nanoseconds. */
  readonly doneAt: bigint;
};

/** All kept commits, oldest first. */
export async function keptCommits(commits: string): Promise<KeptCommit[]> {
  const kept = await flatMapInTurns(namesIn(commits), (name) => keptAt(join(commits, name)));
  return oldestFirst(kept);
}

/** The kept commits of all programs of a command, in order. */
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
 * Commits done since a time, oldest first. `isWhole` is false when one of them may have been dropped.
 *
 * @param since Kernel time, in nanoseconds.
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
  // A commit that was just done may still be rolled back, so it isn't cached.
  knownTimes.set(commits, new Map(older));
  const kept = await flatMapInTurns(newer, (name) => keptAt(join(commits, name)));
  // Checked after all are read: the oldest are dropped first, so no later one was dropped earlier.
  const isWhole =
    older.some(([name]) => existsSync(join(commits, name, 'done.json'))) || !existsSync(dropMarker(commits));
  return { kept: oldestFirst(kept), isWhole };
}

/** When each commit was done, by commits folder. Caches the stat of thousands of commits. */
const knownTimes = new Map<string, ReadonlyMap<string, bigint>>();

function oldestFirst(kept: readonly KeptCommit[]): KeptCommit[] {
  return kept.toSorted((one, other) => (one.doneAt < other.doneAt ? -1 : one.doneAt > other.doneAt ? 1 : 0));
}

/** Records that commits are dropped. Call before the first one is removed. */
export function notePruned(commits: string): void {
  writeFileSync(dropMarker(commits), '', { mode: 0o600 });
}

function dropMarker(commits: string): string {
  return join(commits, '..', 'commits-let-go');
}

/** Whether the commit is still kept. */
export function isKept({ folder }: KeptCommit): boolean {
  return existsSync(join(folder, 'done.json'));
}

async function keptAt(folder: string): Promise<KeptCommit[]> {
  const at = doneAt(folder);
  const journal = at === null ? null : await readJournal(folder, 'done');
  return at === null || journal === null ? [] : [{ folder, journal, doneAt: at }];
}

/** Null until it is done. */
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
