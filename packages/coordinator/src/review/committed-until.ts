import type { CommandRecord, ContentHash } from '@signalbox/core';
import * as z from 'zod';

/** The state in which a command left one path. */
export type LeftByCommand = {
  readonly path: string;
  /** Null: it removed the file. */
  readonly hash: ContentHash | null;
  /** Epoch milliseconds. */
  readonly endedAt: number;
};

export function leftBy({ result, endedAt }: CommandRecord): readonly LeftByCommand[] {
  return (result?.files ?? [])
    .filter(({ kind }) => kind !== 'read')
    .map(({ path, hash }) => ({ path, hash, endedAt: endedAt ?? 0 }));
}

/**
 * The time until which the changes of each path are committed: according to git, since a commit may have been undone;
 * if git can't be asked, according to each `git_commit` that names its paths.
 */
export function committedUntil(
  all: readonly CommandRecord[],
  inGit: ReadonlyMap<string, number> | null,
): ReadonlyMap<string, number> {
  if (inGit !== null) return inGit;
  const times = new Map<string, number>();
  for (const { call, result, endedAt } of all) {
    if (call.tool !== 'git_commit' || result?.outcome.kind !== 'completed' || (result.exitCode ?? 0) !== 0)
      continue;
    for (const path of PathsCommit.safeParse(call.args).data?.paths ?? [])
      times.set(path, Math.max(times.get(path) ?? 0, endedAt ?? 0));
  }
  return times;
}

const PathsCommit = z.object({ paths: z.array(z.string()) });

/**
 * Whether a file was created by a command and removed by the last one, never committed: nothing is left of it, and git
 * does not know it.
 */
export function isCreatedAndRemoved(
  changed: readonly {
    readonly record: CommandRecord;
    readonly changes: readonly { readonly path: string; readonly current: boolean }[];
  }[],
  committedAt: ReadonlyMap<string, number>,
): (path: string) => boolean {
  const ends = new Map<string, { readonly isMade: boolean; readonly isGone: boolean }>();
  const oldestFirst = changed.toSorted(
    (one, other) => (one.record.endedAt ?? 0) - (other.record.endedAt ?? 0),
  );
  for (const { record, changes } of oldestFirst) {
    for (const { path, kind } of record.result?.files ?? []) {
      if (kind === 'read' || (record.endedAt ?? 0) <= (committedAt.get(path) ?? -1)) continue;
      const isCurrent = changes.some((change) => change.path === path && change.current);
      ends.set(path, {
        isMade: ends.get(path)?.isMade ?? kind === 'created',
        isGone: kind === 'deleted' && isCurrent,
      });
    }
  }
  return (path) => ends.get(path)?.isMade === true && ends.get(path)?.isGone === true;
}
