import type { RunCheck } from '@signalbox/api';
import {
  addSavings,
  addUsage,
  type CommandRecord,
  type Event,
  NO_SAVINGS,
  NO_USAGE,
  type ProviderId,
  savedBySession,
  type Savings,
  type Usage,
} from '@signalbox/core';

/** One row of the table at the end of a run. */
export type ProviderSummary = Readonly<{
  provider: ProviderId;
  finish: string;
  turns: number;
  commands: number;
  files: number;
  waits: number;
  waitedMs: number;
  conflicts: number;
  usage: Usage;
  saved: Savings;
  costUsd: number | null;
  tookMs: number;
}>;

/** The result of a run: the `summary` that `--json` prints. */
export type RunSummary = Readonly<{
  providers: readonly ProviderSummary[];
  tookMs: number;
  /** Without those that git ignores. */
  files: readonly Readonly<{ path: string; providers: readonly ProviderId[] }>[];
  /** Number of changed files that git ignores: caches and builds. */
  ignoredFiles: number;
  linesAdded: number;
  linesRemoved: number;
  conflicts: readonly CommandRecord['id'][];
  blocked: readonly CommandRecord['id'][];
  lost: readonly CommandRecord['id'][];
  approvals: Readonly<{ granted: number; refused: number; expired: number }>;
  /** The `--until` line, and how it ended; null without one. */
  until: Readonly<{
    line: string;
    passed: boolean;
    exitCode: number | null;
    /** Why it has no exit code, and what to do: it was killed at a limit, denied, or never ran. */
    why: readonly string[];
    commandId: string;
  }> | null;
  /** Each run of that line, oldest first: after a failed one the sessions continue. */
  checks: readonly RunCheck[];
}>;

export function summarise(options: {
  readonly records: readonly CommandRecord[];
  readonly events: readonly Event[];
  readonly startedAt: number;
  readonly endedAt: number;
  readonly until: RunSummary['until'];
  readonly checks: RunSummary['checks'];
  /** Changed paths that git ignores. Default: none. */
  readonly ignored?: ReadonlySet<string>;
}): RunSummary {
  const { records, events, startedAt, endedAt, until, ignored = new Set() } = options;
  const checks = options.checks.map(({ round, at, result, next }) => ({ round, at, result, next }));
  const ofOutcome = (kind: string): readonly CommandRecord['id'][] =>
    records.flatMap(({ id, result }) => (result?.outcome.kind === kind ? [id] : []));
  const approvals = records.flatMap(({ approval }) => (approval === null ? [] : [approval.status]));
  const countOf = (status: string): number => approvals.filter((one) => one === status).length;
  const all = records.flatMap(changesOf);
  const changes = all.filter(({ path }) => !ignored.has(path));
  return {
    providers: providersOf(events).map((provider) => providerSummary(provider, records, { events, changes })),
    tookMs: endedAt - startedAt,
    files: [...Map.groupBy(changes, ({ path }) => path)].map(([path, of]) => ({
      path,
      providers: [...new Set(of.map(({ provider }) => provider))],
    })),
    ignoredFiles: new Set(all.flatMap(({ path }) => (ignored.has(path) ? [path] : []))).size,
    linesAdded: changes.reduce((sum, { added }) => sum + added, 0),
    linesRemoved: changes.reduce((sum, { removed }) => sum + removed, 0),
    conflicts: ofOutcome('conflict'),
    blocked: ofOutcome('blocked'),
    lost: ofOutcome('lost'),
    approvals: { granted: countOf('granted'), refused: countOf('refused'), expired: countOf('expired') },
    until,
    checks,
  };
}

/** Paths that these commands changed. */
export function changedPaths(records: readonly CommandRecord[]): readonly string[] {
  return [...new Set(records.flatMap(changesOf).map(({ path }) => path))];
}

type Change = Readonly<{ path: string; provider: ProviderId; added: number; removed: number }>;

function changesOf({ result, context }: CommandRecord): readonly Change[] {
  return (result?.files ?? []).flatMap(({ path, kind, linesAdded, linesRemoved }) =>
    kind === 'read'
      ? []
      : [{ path, provider: context.provider, added: linesAdded ?? 0, removed: linesRemoved ?? 0 }],
  );
}

function providersOf(events: readonly Event[]): readonly ProviderId[] {
  return [...new Set(events.flatMap((event) => (event.type === 'session_started' ? [event.provider] : [])))];
}

function providerSummary(
  provider: ProviderId,
  records: readonly CommandRecord[],
  { events, changes }: Readonly<{ events: readonly Event[]; changes: readonly Change[] }>,
): ProviderSummary {
  const mine = records.filter(({ context }) => context.provider === provider);
  const results = mine.flatMap(({ result }) => (result === null ? [] : [result]));
  const started = events.find((event) => event.type === 'session_started' && event.provider === provider);
  const ended = events.findLast((event) => event.type === 'session_ended' && event.provider === provider);
  const turns = events.flatMap((event) =>
    event.type === 'turn_ended' && event.provider === provider ? [event] : [],
  );
  const requests = events.flatMap((event) =>
    event.type === 'model_request_ended' && event.provider === provider ? [event] : [],
  );
  const spent = [...turns, ...requests];
  const usage = spent.reduce((sum, one) => addUsage(sum, one.usage), NO_USAGE);
  const prices = spent.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  const waited = results.filter(({ waitedMs }) => waitedMs >= WAIT_WORTH_COUNTING_MS);
  return {
    provider,
    finish: ended?.type === 'session_ended' ? ended.finish : 'cancelled',
    turns: turns.length,
    commands: mine.length,
    files: new Set(changes.flatMap((one) => (one.provider === provider ? [one.path] : []))).size,
    waits: waited.length,
    waitedMs: waited.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
    conflicts: results.filter(({ outcome }) => outcome.kind === 'conflict').length,
    usage,
    saved: events
      .filter((event) => 'provider' in event && event.provider === provider)
      .map(savedBySession)
      .reduce(addSavings, NO_SAVINGS),
    costUsd: prices.length === 0 ? null : prices.reduce((sum, price) => sum + price, 0),
    tookMs: (ended?.at ?? started?.at ?? 0) - (started?.at ?? 0),
  };
}

/** Shorter waits are the queue's own work, not contention. */
const WAIT_WORTH_COUNTING_MS = 50;
