import { setImmediate } from 'node:timers/promises';
import {
  type AgreedHosts,
  allThat,
  type CommandFilter,
  type CommandRecord,
  type CommandStore,
  UnavailableError,
} from '@signalbox/core';
import type { Monitor } from '../coordinator-api.ts';
import { answerStatsOf } from './answer-stats.ts';
import { numbersOf, withTotals } from './numbers-of.ts';
import { timelineOf } from './timeline.ts';

const NOTHING_AGREED: AgreedHosts = { packages: [], remotes: [], localhost: [] };

/** Null while the backend is unreachable: then only the commands that this process remembers are counted. */
async function totalsOf(store: CommandStore): Promise<Awaited<ReturnType<CommandStore['totals']>> | null> {
  try {
    return await store.totals();
  } catch (error) {
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}

/** Records read without a pause. */
const AT_ONCE = 200;

/** All matching records, without their output; yields so that other requests are answered. */
async function readSlim(store: CommandStore, filter: CommandFilter): Promise<readonly CommandRecord[]> {
  const found: CommandRecord[] = [];
  for await (const record of allThat(store, filter)) {
    found.push(slim(record));
    if (found.length % AT_ONCE === 0) await setImmediate();
  }
  return found;
}

function slim(record: CommandRecord): CommandRecord {
  const { result } = record;
  if (result === null) return record;
  return { ...record, result: { ...result, content: '', output: null, stdout: '', stderr: '' } };
}

/** Without a start time, durations are computed over this many of the newest commands. */
const MAX_COUNTED = 10_000;

/** History and totals, computed from the kept commands (R3, R4). */
export function createMonitor(
  store: CommandStore,
  atLeast: number,
  /** Provides the agreed hosts. Default: none. */
  policy: { readonly agreedHosts: AgreedHosts } = { agreedHosts: NOTHING_AGREED },
): Monitor {
  const historyLimit = Math.max(MAX_COUNTED, atLeast);
  return {
    history: (filter) => store.list({ ...filter, states: ['done'] }),
    async stats(since) {
      const records =
        since === undefined
          ? await store.list({ states: ['done'], limit: historyLimit })
          : await readSlim(store, { states: ['done'], from: since });
      const byProvider = Map.groupBy(records, (record) => record.context.provider);
      const totals = since === undefined ? await totalsOf(store) : null;
      if (totals === null) {
        return [...byProvider]
          .map(([provider, of]) => ({ provider, ...numbersOf(of) }))
          .toSorted((a, b) => b.commands - a.commands);
      }
      // Commands rotated out of the history count too.
      return [...Map.groupBy(totals, ({ provider }) => provider)]
        .map(([provider, of]) => ({
          provider,
          ...withTotals(numbersOf(byProvider.get(provider) ?? []), of),
        }))
        .toSorted((a, b) => b.commands - a.commands);
    },
    answers: async (since) =>
      answerStatsOf(
        since === undefined
          ? await store.list({ limit: historyLimit })
          : await readSlim(store, { from: since }),
        policy.agreedHosts,
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
