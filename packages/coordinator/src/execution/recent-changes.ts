import { type CommandId, type CommandRecord, type CommandResult, isWithin } from '@signalbox/core';

/** Commands whose changes are remembered. */
const KEPT = 500;
const MAX_NAMED = 20;

/** Effects for which a transaction claims nothing before it runs: it blocks no command, and others write meanwhile. */
const OPTIMISTIC: ReadonlySet<string> = new Set(['write-unknown', 'repository-code']);

type Change = { readonly commandId: CommandId; readonly paths: readonly string[]; readonly at: number };

/**
 * Records the changes of a command that ends.
 *
 * @param edited paths that the file system reports as changed while it ran, or a moment before.
 * @returns If it had no claims on them: paths that other commands changed while it ran, and those of `edited` that no
 * command wrote; sorted, at most 20.
 */
export type RecentChanges = (
  record: CommandRecord,
  ending: Readonly<{ result: CommandResult; edited: readonly string[] }>,
) => readonly string[];

/** How long before its start a command's write may still show up as a change. */
const JUST_BEFORE_MS = 1000;

export function createRecentChanges(): RecentChanges {
  const changes: Change[] = [];
  return ({ id, verdict, startedAt }, { result: { files, endedAt }, edited }) => {
    const paths = files.filter(({ kind }) => kind !== 'read').map(({ path }) => path);
    if (paths.length > 0) changes.push({ commandId: id, paths, at: endedAt });
    if (changes.length > KEPT) changes.shift();
    const isOptimistic = verdict?.effects.some(({ kind }) => OPTIMISTIC.has(kind)) === true;
    if (!isOptimistic || startedAt === null) return [];
    const others = changes.filter(({ commandId, at }) => at >= startedAt && commandId !== id);
    // Its own changes were based on the files it had seen when it committed.
    const theirs = others.flatMap((change) => change.paths).filter((path) => !paths.includes(path));
    const put = changes
      .filter(({ at }) => at >= startedAt - JUST_BEFORE_MS)
      .flatMap((change) => change.paths);
    const byHand = edited.filter((path) => !put.some((one) => isWithin(one, path)));
    return [...new Set([...theirs, ...byHand])].toSorted().slice(0, MAX_NAMED);
  };
}
