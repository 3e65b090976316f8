import type { SessionView, TranscriptItem } from '@signalbox/api';
import type { AnswerStats, ModeState, ProviderTotals, SessionStats } from '@signalbox/coordinator';
import type {
  CommandId,
  CommandPage,
  CommandRecord,
  CommandStore,
  ForgottenCommand,
  PageFilter,
  SchedulerSnapshot,
  SessionId,
  StuckCommand,
  UnfinishedCount,
} from '@signalbox/core';
import type { ShownDiff } from '../../runtime/contract/file-diff.ts';
import type { StreamUpdate, OutputChunk } from '../event-stream.ts';

/** Leases and waiting commands, with the commands that they name. */
export type QueueRead = Readonly<{
  /** As many waiting commands as requested, first in line first. */
  snapshot: SchedulerSnapshot;
  /** Of all unfinished commands. */
  counts: readonly UnfinishedCount[];
  /** Commands whose files are partly applied. */
  stuck: readonly StuckCommand[];
  /** Every command that the snapshot names, if it is kept. */
  commands: ReadonlyMap<CommandId, CommandRecord>;
}>;

export type StatsRead = AnswerStats & SessionStats & Readonly<{ providers: readonly ProviderTotals[] }>;

/** A session, and how its conversation was compressed, in order. */
export type SessionRead = Readonly<{
  session: SessionView;
  compressions: readonly Extract<TranscriptItem, { kind: 'compression' }>[];
}>;

/**
 * A terminal's view of a workspace: from the local records, or from a server elsewhere, which redacts secrets and
 * shortens the output in lists.
 */
export type Reader = Readonly<{
  commands: Pick<CommandStore, 'list' | 'get' | 'find' | 'unfinished' | 'countUnfinished'> & {
    /** Commands whose id has this prefix and that only the audit log still has. */
    forgotten(prefix: string): Promise<readonly ForgottenCommand[]>;
  };
  /**
   * Newest first.
   *
   * @throws {UsageError} `invalid-cursor`
   */
  page(filter: PageFilter): Promise<CommandPage>;
  /** Finished commands, with all kept output. Otherwise like {@link page}. */
  history(filter: PageFilter): Promise<CommandPage>;
  /** @param max of the waiting commands, at most 2,000 */
  queue(max: number): Promise<QueueRead>;
  mode(): Promise<ModeState>;
  /** Over the kept history from `since` (epoch ms); all of it by default. */
  stats(since?: number): Promise<StatsRead>;
  /** Null when its events are no longer kept. */
  session(id: SessionId): Promise<SessionRead | null>;
  /** Null when nothing of it is kept. */
  changesOf(id: CommandId): Promise<readonly ShownDiff[] | null>;
  /** All kept output, redacted. */
  printed(record: CommandRecord, stream: 'stdout' | 'stderr'): Promise<string>;
  /**
   * Its output from the beginning until it ends, as far as it is streamed live (1 MiB per stream).
   *
   * @param say Called when a connection breaks and when it is back.
   */
  follow(record: CommandRecord, say: (what: string) => void): AsyncIterable<OutputChunk>;
  /** Updates from now on, until the signal aborts. */
  update(
    options: Readonly<{ say: (what: string) => void; signal: AbortSignal }>,
  ): AsyncIterable<StreamUpdate>;
}>;

/** Every command named in it, once. */
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
  { stuck, found }: Readonly<{ stuck: readonly StuckCommand[]; found: readonly (CommandRecord | null)[] }>,
): QueueRead {
  const known = found.flatMap((record) => (record === null ? [] : [[record.id, record] as const]));
  return { snapshot, counts, stuck, commands: new Map(known) };
}
