import { type CommandNumbers, numbersOf } from '@signalbox/coordinator';
import type { CommandRecord, ProviderId } from '@signalbox/core';

type ByProvider = readonly Readonly<{ provider: ProviderId; commands: number }>[];

/** Totals of one tool. */
export type ToolStats = Omit<CommandNumbers, 'mostUsed'> &
  Readonly<{
    tool: string;
    /** Its users, most frequent first. */
    usedBy: ByProvider;
  }>;

/** Totals of one file. */
export type FileStats = Readonly<{
  path: string;
  /** Commands that read it, and that changed it; one that did both counts twice. */
  reads: number;
  changes: number;
  /** Stale writes that were rejected. */
  conflicts: number;
  /** Epoch milliseconds; null if it was only read. */
  lastChangedAt: number | null;
  /** Who touched it, most frequent first. */
  touchedBy: ByProvider;
}>;

/** Totals of one filter of outputs. */
export type FilterStats = Readonly<{
  filter: string;
  outputs: number;
  /** Outputs on which it failed: models read all of them. */
  fallbacks: number;
  /** Estimated. */
  keptTokens: number;
  savedTokens: number;
}>;

/** One of the slowest commands. */
export type SlowCommand = Readonly<{
  command: CommandRecord['id'];
  provider: ProviderId;
  tool: string;
  title: string;
  outcome: string;
  durationMs: number;
  waitedMs: number;
  approvalMs: number;
  endedAt: number | null;
}>;

/** Most used first. */
export function toolStatsOf(records: readonly CommandRecord[]): readonly ToolStats[] {
  return [...Map.groupBy(records, ({ call }) => call.tool)]
    .map(([tool, of]) => {
      const { mostUsed: _, ...numbers } = numbersOf(of);
      return { tool, ...numbers, usedBy: byProvider(of) };
    })
    .toSorted((one, other) => other.commands - one.commands || compare(one.tool, other.tool));
}

/** Most changed first, then most read. */
export function fileStatsOf(records: readonly CommandRecord[]): readonly FileStats[] {
  const touches = records.flatMap((record) => touchesOf(record).map((touch) => ({ ...touch, record })));
  return [...Map.groupBy(touches, ({ path }) => path)]
    .map(([path, of]) => {
      const having = (how: Touch['how']): readonly CommandRecord[] =>
        of.flatMap((touch) => (touch.how === how ? [touch.record] : []));
      const changedAt = having('change').map(({ endedAt, submittedAt }) => endedAt ?? submittedAt);
      return {
        path,
        reads: having('read').length,
        changes: changedAt.length,
        conflicts: having('conflict').length,
        lastChangedAt: changedAt.length === 0 ? null : Math.max(...changedAt),
        touchedBy: byProvider([...new Set(of.map(({ record }) => record))]),
      };
    })
    .toSorted(
      (one, other) => other.changes - one.changes || other.reads - one.reads || compare(one.path, other.path),
    );
}

/** What saved most first. */
export function filterStatsOf(records: readonly CommandRecord[]): readonly FilterStats[] {
  const uses = records.flatMap(({ result }) => result?.filtered ?? []);
  return [...Map.groupBy(uses, ({ filter }) => filter)]
    .map(([filter, of]) => ({
      filter,
      outputs: of.length,
      fallbacks: of.filter(({ confidence }) => confidence === 'fallback').length,
      keptTokens: of.reduce((sum, { keptTokens }) => sum + keptTokens, 0),
      savedTokens: of.reduce((sum, { savedTokens }) => sum + savedTokens, 0),
    }))
    .toSorted((one, other) => other.savedTokens - one.savedTokens || compare(one.filter, other.filter));
}

/** Of those that ran, the longest first. */
export function slowestOf(records: readonly CommandRecord[], max: number): readonly SlowCommand[] {
  return records
    .flatMap(({ id, context, call, title, startedAt, endedAt, result }) => {
      if (startedAt === null || result === null) return [];
      const { outcome, durationMs, waitedMs, approvalMs } = result;
      const times = { durationMs, waitedMs, approvalMs, endedAt };
      return [
        {
          command: id,
          provider: context.provider,
          tool: call.tool,
          title,
          outcome: outcome.kind,
          ...times,
        },
      ];
    })
    .toSorted((one, other) => other.durationMs - one.durationMs)
    .slice(0, max);
}

type Touch = Readonly<{ path: string; how: 'read' | 'change' | 'conflict' }>;

/** Each file once per kind of access. */
function touchesOf({ call, result }: CommandRecord): readonly Touch[] {
  const done = (result?.files ?? []).map(({ path, kind }) => ({
    path,
    how: kind === 'read' ? ('read' as const) : ('change' as const),
  }));
  const path = call.args['path'];
  const late =
    result?.outcome.kind === 'conflict' && typeof path === 'string'
      ? [{ path, how: 'conflict' as const }]
      : [];
  return [...new Map([...done, ...late].map((touch) => [`${touch.how} ${touch.path}`, touch])).values()];
}

function byProvider(records: readonly CommandRecord[]): ByProvider {
  return [...Map.groupBy(records, ({ context }) => context.provider)]
    .map(([provider, of]) => ({ provider, commands: of.length }))
    .toSorted((one, other) => other.commands - one.commands || compare(one.provider, other.provider));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
