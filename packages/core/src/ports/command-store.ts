import type { CommandRecord, CommandState } from '../commands/command.ts';
import type { NewEvent } from '../event.ts';
import type { CommandId, ProviderId, SessionId } from '../id.ts';
import type { OutcomeKind } from '../commands/outcome.ts';

export type CommandFilter = {
  readonly provider?: ProviderId;
  readonly sessionId?: SessionId;
  readonly tool?: string;
  readonly states?: readonly CommandState[];
  readonly outcomes?: readonly OutcomeKind[];
  /** Epoch milliseconds of `submittedAt`, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Default 100. */
  readonly limit?: number;
};

export type UnfinishedFilter = {
  readonly states?: readonly CommandState[];
  /** Default: no limit. */
  readonly limit?: number;
};

export type UnfinishedCount = {
  readonly state: CommandState;
  readonly provider: ProviderId;
  readonly commands: number;
};

/** One line of the totals that history keeps for ever, after its commands are gone (S003-79). */
export type HistoryTotals = {
  readonly provider: ProviderId;
  readonly tool: string;
  readonly outcome: OutcomeKind;
  readonly commands: number;
  readonly durationMs: number;
  readonly waitedMs: number;
};

/** Which finished commands are kept. */
export type HistoryRetention = {
  /** This many, the most recently finished, are kept regardless of the other bounds. */
  readonly atLeast: number;
  /** Epoch milliseconds: commands that finished before are dropped. */
  readonly since: number;
  /** Bound on the records of finished commands as JSON; beyond it the first to finish are dropped. */
  readonly maxBytes: number;
  /** Sessions whose commands are kept. */
  readonly spared?: readonly SessionId[];
};

/** Commands: unfinished ones, and the most recently finished. */
export interface CommandStore {
  /**
   * Stores the record and its events in one step, all or nothing, and durably against the death of this process. The
   * record's `revision` must be the stored one plus 1 (1 for a new command).
   *
   * @throws {RevisionError} when another writer committed first: nothing is stored.
   */
  commit(record: CommandRecord, events: readonly NewEvent[]): Promise<void>;
  /** Null also for a record that can't be read; {@link find} lists it. */
  get(id: CommandId): Promise<CommandRecord | null>;
  /** Ids with this prefix (after the `cmd_`), sorted, at most 20: people type prefixes. */
  find(prefix: string): Promise<readonly CommandId[]>;
  /** Newest first: by `submittedAt`, then by id, both descending; without unreadable records. */
  list(filter: CommandFilter): Promise<readonly CommandRecord[]>;
  /**
   * Unfinished commands, in the order they were first stored: all of them, or the first of some states; without
   * unreadable records, which {@link eachUnfinished} reports.
   */
  unfinished(of?: UnfinishedFilter): Promise<readonly CommandRecord[]>;
  /**
   * Hands over unfinished commands, in the order they were first stored, until `take` returns false. The first ones are
   * handed over before the last ones are read: tens of thousands take seconds. An unreadable record is left out, and
   * `onUnreadable` gets its id.
   */
  eachUnfinished(
    take: (record: CommandRecord) => Promise<boolean>,
    onUnreadable: (id: string, cause: unknown) => void,
  ): Promise<void>;
  /** Numbers of unfinished commands, by state and provider, sorted by both. */
  countUnfinished(): Promise<readonly UnfinishedCount[]>;
  /**
   * Over all commands that ever finished, the dropped ones too. Beyond a thousand made-up names of providers and tools,
   * the rest are combined as `other`.
   */
  totals(): Promise<readonly HistoryTotals[]>;
  /**
   * Drops the commands that finished first and are too old or exceed the bounds, adds them to the totals, and returns
   * their number.
   */
  rotate(keep: HistoryRetention): Promise<number>;
}

/** Whether {@link CommandStore.list} returns that record for this filter, ignoring its limit. */
export function fitsFilter(record: CommandRecord, filter: CommandFilter): boolean {
  const { provider, sessionId, tool, states, outcomes, from = 0, to = Number.POSITIVE_INFINITY } = filter;
  const kind = record.result?.outcome.kind;
  return (
    (provider === undefined || record.context.provider === provider) &&
    (sessionId === undefined || record.context.sessionId === sessionId) &&
    (tool === undefined || record.call.tool === tool) &&
    (states === undefined || states.includes(record.state)) &&
    (outcomes === undefined || (kind !== undefined && outcomes.includes(kind))) &&
    record.submittedAt >= from &&
    record.submittedAt <= to
  );
}

/** The order of {@link CommandStore.list}. */
export function newestFirst(a: CommandRecord, b: CommandRecord): number {
  return b.submittedAt - a.submittedAt || (a.id < b.id ? 1 : -1);
}

/** {@link CommandStore.unfinished} of these, which are in its order. */
export function unfinishedOf(
  records: readonly CommandRecord[],
  { states, limit }: UnfinishedFilter = {},
): readonly CommandRecord[] {
  return records
    .filter(({ state }) => state !== 'done' && (states === undefined || states.includes(state)))
    .slice(0, limit);
}

/** {@link CommandStore.countUnfinished} of these. */
export function countsOfUnfinished(records: readonly CommandRecord[]): readonly UnfinishedCount[] {
  const counts = new Map<string, UnfinishedCount>();
  for (const { state, context } of records) {
    if (state === 'done') continue;
    const { provider } = context;
    const key = `${state} ${provider}`;
    counts.set(key, { state, provider, commands: (counts.get(key)?.commands ?? 0) + 1 });
  }
  return [...counts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}
