import type { CommandRecord, CommandStore, ProviderId } from '@signalbox/core';
import type { Monitor, ProviderStats } from '../coordinator-api.ts';
import { answerStatsOf } from './answer-stats.ts';
import { quantile } from './quantile.ts';
import { timelineOf } from './timeline.ts';

const MOST_USED = 5;

/** History and numbers, computed from the kept commands (R3, R4). */
export function createMonitor(store: CommandStore, historyLimit: number): Monitor {
  return {
    history: (filter) => store.list({ ...filter, states: ['done'] }),
    async stats(since) {
      const records = await store.list({
        states: ['done'],
        limit: historyLimit,
        ...(since === undefined ? {} : { from: since }),
      });
      const byProvider = Map.groupBy(records, (record) => record.context.provider);
      return [...byProvider]
        .map(([provider, of]) => statsOf(provider, of))
        .toSorted((a, b) => b.commands - a.commands);
    },
    answers: async (since) =>
      answerStatsOf(
        await store.list({ limit: historyLimit, ...(since === undefined ? {} : { from: since }) }),
      ),
    async timeline({ from, to, buckets, provider }) {
      const records = await store.list({
        states: ['done'],
        limit: historyLimit,
        from,
        to,
        ...(provider === undefined ? {} : { provider }),
      });
      return timelineOf(records, { from, to, buckets });
    },
  };
}

function statsOf(provider: ProviderId, records: readonly CommandRecord[]): ProviderStats {
  const results = records.flatMap(({ result }) => (result === null ? [] : [result]));
  const ofKind = (...kinds: readonly string[]): number =>
    results.filter(({ outcome }) => kinds.includes(outcome.kind)).length;
  const ran = records
    .flatMap(({ startedAt, result }) => (startedAt === null || result === null ? [] : [result.durationMs]))
    .toSorted((a, b) => a - b);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    provider,
    commands: records.length,
    completed: ofKind('completed'),
    failed: ofKind('failed', 'conflict', 'timed_out', 'lost'),
    denied: ofKind('denied', 'blocked'),
    cancelled: ofKind('cancelled'),
    meanMs: ran.length === 0 ? 0 : sum(ran) / ran.length,
    medianMs: quantile(ran, 0.5),
    p95Ms: quantile(ran, 0.95),
    waitedMs: sum(results.map(({ waitedMs }) => waitedMs)),
    approvalMs: sum(results.map(({ approvalMs }) => approvalMs)),
    cpuMs: sum(results.map(({ usage }) => usage?.cpuMs ?? 0)),
    peakMemoryBytes: Math.max(0, ...results.map(({ usage }) => usage?.peakMemoryBytes ?? 0)),
    mostUsed: mostUsed(records),
  };
}

function mostUsed(records: readonly CommandRecord[]): ProviderStats['mostUsed'] {
  return [...Map.groupBy(records, ({ call }) => call.tool)]
    .map(([tool, of]) => ({ tool, commands: of.length }))
    .toSorted((a, b) => b.commands - a.commands)
    .slice(0, MOST_USED);
}
