import type { CommandRecord, ProviderId } from '@signalbox/core';
import type { Line } from '../../terminal/line.ts';
import { readsView } from '../../views/command/ending-view.ts';

/** Successful reads since the last line, of which a run shows one line for each provider. */
export type PendingReads = Readonly<{
  /** True for a successful read, which is shown later. */
  add(record: CommandRecord): boolean;
  flush(shown: Parameters<typeof readsView>[2]): readonly Line[];
}>;

const READS: ReadonlySet<string> = new Set(['read_file', 'list_directory', 'search_files']);

export function createPendingReads(): PendingReads {
  const reads = new Map<ProviderId, readonly string[]>();
  return {
    add({ result, call: { tool }, context: { provider } }) {
      if (result?.success !== true || !READS.has(tool)) return false;
      reads.set(provider, [...(reads.get(provider) ?? []), tool]);
      return true;
    },
    flush(shown) {
      const lines = [...reads].map(([provider, tools]) => readsView(provider, tools, shown));
      reads.clear();
      return lines;
    },
  };
}
