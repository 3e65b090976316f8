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

/** Null while the backend is away: then only the commands that this process remembers are counted. */
async function totalsOf(store: CommandStore): Promise<Awaited<ReturnType<CommandStore['totals']>> | null> {
  try {
    return await store.totals();
  } catch (error) {
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}

/** So many are read without a pause. */
const AT_ONCE = 200;

/** All that fit, without what they printed: others are answered meanwhile. */
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

/** Without a time, the numbers of how long commands took are those of so many, the newest. */
const MOST_COUNTED = 10_000;

/** History and numbers, computed from the kept commands (R3, R4). */
export function createMonitor(
  store: CommandStore,
  atLeast: number,
  /** Knows what people have agreed to by now. Default: nothing. */
  policy: { readonly agreedHosts: AgreedHosts } = { agreedHosts: NOTHING_AGREED },
): Monitor {
  const historyLimit = Math.max(MOST_COUNTED, atLeast);
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
      // Those that rotated out of the history count too.
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
