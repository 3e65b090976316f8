import type { CommandId } from '@signalbox/core';

/** Commands whose changes are remembered. */
const KEPT = 500;
const MAX_NAMED = 20;

/** What commands have changed lately, for those that ran meanwhile on what stood there before. */
export type RecentChanges = {
  note(commandId: CommandId, paths: readonly string[], at: number): void;
  /** Paths that other commands changed from then on, sorted, at most 20. Epoch milliseconds. */
  since(at: number, except: CommandId): readonly string[];
};

export function createRecentChanges(): RecentChanges {
  const entries: { readonly commandId: CommandId; readonly paths: readonly string[]; readonly at: number }[] =
    [];
  return {
    note(commandId, paths, at) {
      if (paths.length === 0) return;
      entries.push({ commandId, paths, at });
      if (entries.length > KEPT) entries.shift();
    },
    since(at, except) {
      const others = entries.filter((entry) => entry.at >= at && entry.commandId !== except);
      return [...new Set(others.flatMap(({ paths }) => paths))].toSorted().slice(0, MAX_NAMED);
    },
  };
}
