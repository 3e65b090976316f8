import { join } from 'node:path';
import { flatMapInTurns } from '../../turns.ts';
import { foldersAbove } from '../disk/folders-above.ts';
import type { Stamp } from '../disk/journal.ts';
import type { KeptCommit } from './kept-commits.ts';
import { originalOf, stampOf } from '../disk/swap.ts';

/** Finds where a version of a path is kept, by itself or in a removed folder; null if it isn't. */
export type FindStoredVersion = (path: string, stamp: Stamp) => string | null;

type Kept = {
  readonly path: string;
  readonly before: Stamp;
  readonly isRemoved: boolean;
  readonly at: string;
};

/** Searches the copies of these commits. */
export async function createFindKept(commits: readonly KeptCommit[]): Promise<FindStoredVersion> {
  const kept = await flatMapInTurns(commits, ({ folder, journal }) =>
    flatMapInTurns(journal.entries, (entry): Kept[] => {
      if ((entry.op !== 'put' && entry.op !== 'remove') || entry.before === null) return [];
      const { path, before, op, index } = entry;
      return [{ path, before, isRemoved: op === 'remove', at: originalOf(folder, index) }];
    }),
  );
  const byPath = Map.groupBy(kept, ({ path }) => path);

  return (path, stamp) => {
    const own = byPath.get(path)?.find(({ before }) => before === stamp);
    if (own !== undefined) return own.at;
    for (const folder of foldersAbove(path)) {
      for (const { at, isRemoved } of byPath.get(folder) ?? []) {
        const inside = join(at, path.slice(folder.length + 1));
        if (isRemoved && stampOf(inside) === stamp) return inside;
      }
    }
    return null;
  };
}
