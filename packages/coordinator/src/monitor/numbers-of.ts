import {
  addSavings,
  type CommandRecord,
  type HistoryTotals,
  NO_SAVINGS,
  type OutcomeKind,
  quantile,
  savedByCall,
} from '@signalbox/core';
import type { ArgumentNumbers, CommandNumbers, UtilityNumbers } from '../coordinator-api.ts';

const MAX_USED = 5;

const FAILED: readonly OutcomeKind[] = ['failed', 'conflict', 'timed_out', 'lost'];
const DENIED: readonly OutcomeKind[] = ['denied', 'blocked'];

/** Replaces the counts with those of all commands that ever ended; durations are those of the kept ones (S003-79). */
export function withTotals(kept: CommandNumbers, totals: readonly HistoryTotals[]): CommandNumbers {
  const count = (of: readonly HistoryTotals[]): number => of.reduce((sum, { commands }) => sum + commands, 0);
  const ofKind = (kinds: readonly OutcomeKind[]): number =>
    count(totals.filter(({ outcome }) => kinds.includes(outcome)));
  return {
    ...kept,
    commands: count(totals),
    completed: ofKind(['completed']),
    failed: ofKind(FAILED),
    denied: ofKind(DENIED),
    cancelled: ofKind(['cancelled']),
    waitedMs: totals.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
    mostUsed: [...Map.groupBy(totals, ({ tool }) => tool)]
      .map(([tool, of]) => ({ tool, commands: count(of) }))
      .toSorted((a, b) => b.commands - a.commands)
      .slice(0, MAX_USED),
  };
}

/** The totals of a set of commands that have ended. */
export function numbersOf(records: readonly CommandRecord[]): CommandNumbers {
  const results = records.flatMap(({ result }) => (result === null ? [] : [result]));
  const ofKind = (...kinds: readonly string[]): number =>
    results.filter(({ outcome }) => kinds.includes(outcome.kind)).length;
  const ran = records
    .flatMap(({ startedAt, result }) =>
      startedAt === null || result === null || result.reusedFrom !== undefined ? [] : [result.durationMs],
    )
    .toSorted((a, b) => a - b);
  const saved = results.map(savedByCall).reduce(addSavings, NO_SAVINGS);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    commands: records.length,
    completed: ofKind('completed'),
    failed: ofKind(...FAILED),
    denied: ofKind(...DENIED),
    cancelled: ofKind('cancelled'),
    meanMs: ran.length === 0 ? 0 : sum(ran) / ran.length,
    medianMs: quantile(ran, 0.5),
    p95Ms: quantile(ran, 0.95),
    waitedMs: sum(results.map(({ waitedMs }) => waitedMs)),
    approvalMs: sum(results.map(({ approvalMs }) => approvalMs)),
    cpuMs: sum(results.map(({ usage }) => usage?.cpuMs ?? 0)),
    peakMemoryBytes: Math.max(0, ...results.map(({ usage }) => usage?.peakMemoryBytes ?? 0)),
    reused: saved.calls,
    savedMs: saved.ms,
    savedTokens: saved.tokens.filters,
    suspects: records.filter(({ suspects }) => suspects !== undefined).length,
    utility: utilityNumbers(records),
    complexCalls: { withThoughts: argumentNumbers(records, true), without: argumentNumbers(records, false) },
    mostUsed: mostUsed(records),
  };
}

function argumentNumbers(records: readonly CommandRecord[], thought: boolean): ArgumentNumbers {
  const calls = records.filter(({ context }) => context.thought === thought);
  const invalid = calls.filter(({ result }) => result?.failure?.code === 'invalid-arguments').length;
  return { calls: calls.length, invalid };
}

function utilityNumbers(records: readonly CommandRecord[]): UtilityNumbers {
  const denied = records
    .flatMap(({ gates = [] }) => gates)
    .filter((one) => one.gate === 'utility' && one.decision === 'deny');
  const tokensOf = (shadow: boolean): readonly number[] =>
    denied.flatMap((one) =>
      one.gate === 'utility' && one.shadow === shadow ? [one.terms['tokens'] ?? 0] : [],
    );
  const of = (tokens: readonly number[]): UtilityNumbers['skipped'] => ({
    calls: tokens.length,
    tokens: tokens.reduce((total, count) => total + count, 0),
  });
  return { skipped: of(tokensOf(false)), inShadow: of(tokensOf(true)) };
}

function mostUsed(records: readonly CommandRecord[]): CommandNumbers['mostUsed'] {
  return [...Map.groupBy(records, ({ call }) => call.tool)]
    .map(([tool, of]) => ({ tool, commands: of.length }))
    .toSorted((a, b) => b.commands - a.commands)
    .slice(0, MAX_USED);
}
