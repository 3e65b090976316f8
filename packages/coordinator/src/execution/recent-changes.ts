import type { CommandId, CommandRecord, CommandResult } from '@signalbox/core';

/** Commands whose changes are remembered. */
const KEPT = 500;
const MAX_NAMED = 20;

/** Effects of which a transaction claims nothing before it runs: it holds up nobody, and others write meanwhile. */
const OPTIMISTIC: ReadonlySet<string> = new Set(['write-unknown', 'repository-code']);

type Change = { readonly commandId: CommandId; readonly paths: readonly string[]; readonly at: number };

/**
 * Remembers what a command that ends has changed.
 *
 * @returns Of one that claimed nothing of that: paths that other commands changed while it ran, sorted, at most 20.
 */
export function createRecentChanges(): (record: CommandRecord, result: CommandResult) => readonly string[] {
  const changes: Change[] = [];
  return ({ id, verdict, startedAt }, { files, endedAt }) => {
    const paths = files.filter(({ kind }) => kind !== 'read').map(({ path }) => path);
    if (paths.length > 0) changes.push({ commandId: id, paths, at: endedAt });
    if (changes.length > KEPT) changes.shift();
    const isOptimistic = verdict?.effects.some(({ kind }) => OPTIMISTIC.has(kind)) === true;
    if (!isOptimistic || startedAt === null) return [];
    const others = changes.filter(({ commandId, at }) => at >= startedAt && commandId !== id);
    return [...new Set(others.flatMap((change) => change.paths))].toSorted().slice(0, MAX_NAMED);
  };
}
