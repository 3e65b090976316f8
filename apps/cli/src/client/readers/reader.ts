import type { AnswerStats, ModeState, ProviderTotals } from '@signalbox/coordinator';
import type {
  CommandId,
  CommandPage,
  CommandRecord,
  CommandStore,
  ForgottenCommand,
  PageFilter,
  SchedulerSnapshot,
  StuckCommand,
  UnfinishedCount,
} from '@signalbox/core';
import type { ShownDiff } from '../../runtime/contract/file-diff.ts';
import type { StreamUpdate, OutputChunk } from '../event-stream.ts';

/** Who holds what and who waits, with the commands that it names. */
export type QueueRead = Readonly<{
  /** Of those that wait the first, as many as were asked for. */
  snapshot: SchedulerSnapshot;
  /** Of all that are not done. */
  counts: readonly UnfinishedCount[];
  /** Whose files stand half-way. */
  stuck: readonly StuckCommand[];
  /** Of all that the snapshot names, as far as they are kept. */
  commands: ReadonlyMap<CommandId, CommandRecord>;
}>;

export type StatsRead = AnswerStats & Readonly<{ providers: readonly ProviderTotals[] }>;

/**
 * What a terminal sees of a workspace: from what is stored beside it, or from a server elsewhere, which takes secrets
 * out and shortens the outputs of lists.
 */
export type Reader = Readonly<{
  commands: Pick<CommandStore, 'list' | 'get' | 'find' | 'unfinished' | 'countUnfinished'> & {
    /** Those whose id begins so, which only the audit log has any more. */
    forgotten(prefix: string): Promise<readonly ForgottenCommand[]>;
  };
  /**
   * Newest first.
   *
   * @throws {UsageError} `invalid-cursor`
   */
  page(filter: PageFilter): Promise<CommandPage>;
  /** Those that ended, with all that is kept of their outputs. As {@link page} otherwise. */
  history(filter: PageFilter): Promise<CommandPage>;
  /** @param most of those that wait, at most 2,000 */
  queue(most: number): Promise<QueueRead>;
  mode(): Promise<ModeState>;
  /** Over the kept history from `since` (epoch ms) on; all of it without. */
  stats(since?: number): Promise<StatsRead>;
  /** Null when nothing is kept of it. */
  changesOf(id: CommandId): Promise<readonly ShownDiff[] | null>;
  /** All that is kept of what it printed, without secrets. */
  printed(record: CommandRecord, stream: 'stdout' | 'stderr'): Promise<string>;
  /**
   * What it prints, from its beginning until it has ended, as far as it is told live (1 MiB a stream).
   *
   * @param say hears of a connection that broke, and of its return
   */
  follow(record: CommandRecord, say: (what: string) => void): AsyncIterable<OutputChunk>;
  /** What happens from now on, until the signal aborts. */
  update(
    options: Readonly<{ say: (what: string) => void; signal: AbortSignal }>,
  ): AsyncIterable<StreamUpdate>;
}>;

/** Every command that it names, once. */
export function namedIn({ waiting, leases }: SchedulerSnapshot): readonly CommandId[] {
  return [
    ...new Set([
      ...waiting.flatMap(({ commandId, blockers }) => [commandId, ...blockers]),
      ...leases.map(({ commandId }) => commandId),
    ]),
  ];
}

export function withCommands(
  snapshot: SchedulerSnapshot,
  counts: QueueRead['counts'],
  stuck: readonly StuckCommand[],
  found: readonly (CommandRecord | null)[],
): QueueRead {
  const known = found.flatMap((record) => (record === null ? [] : [[record.id, record] as const]));
  return { snapshot, counts, stuck, commands: new Map(known) };
}
