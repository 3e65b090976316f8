import { type CommandId, type CommandRecord, type CommandResult, isWithin } from '@signalbox/core';

/** Commands whose changes are remembered. */
const KEPT = 500;
const MAX_NAMED = 20;

/** Effects of which a transaction claims nothing before it runs: it holds up nobody, and others write meanwhile. */
const OPTIMISTIC: ReadonlySet<string> = new Set(['write-unknown', 'repository-code']);

type Change = { readonly commandId: CommandId; readonly paths: readonly string[]; readonly at: number };

/**
 * Remembers what a command that ends has changed.
 *
 * @param edited paths that the file system says were changed while it ran, or a moment before.
 * @returns Of one that claimed nothing of that: paths that other commands changed while it ran, and what of `edited` no
 *   command has put; sorted, at most 20.
 */
export type RecentChanges = (
  record: CommandRecord,
  result: CommandResult,
  edited: readonly string[],
) => readonly string[];

/** How long before its start a command may have put what still looks changed. */
const JUST_BEFORE_MS = 1000;

export function createRecentChanges(): RecentChanges {
  const changes: Change[] = [];
  return ({ id, verdict, startedAt }, { files, endedAt }, edited) => {
    const paths = files.filter(({ kind }) => kind !== 'read').map(({ path }) => path);
    if (paths.length > 0) changes.push({ commandId: id, paths, at: endedAt });
    if (changes.length > KEPT) changes.shift();
    const isOptimistic = verdict?.effects.some(({ kind }) => OPTIMISTIC.has(kind)) === true;
    if (!isOptimistic || startedAt === null) return [];
    const others = changes.filter(({ commandId, at }) => at >= startedAt && commandId !== id);
    // What it changed itself was as it had seen it when that was put.
    const theirs = others.flatMap((change) => change.paths).filter((path) => !paths.includes(path));
    const put = changes
      .filter(({ at }) => at >= startedAt - JUST_BEFORE_MS)
      .flatMap((change) => change.paths);
    const byHand = edited.filter((path) => !put.some((one) => isWithin(one, path)));
    return [...new Set([...theirs, ...byHand])].toSorted().slice(0, MAX_NAMED);
  };
}
