import {
  type CommandFilter,
  type CommandId,
  type CommandPage,
  type CommandRecord,
  type CommandState,
  CommandState as CommandStates,
  type Clock,
  type PageFilter,
  UsageError,
} from '@signalbox/core';
import {
  CommandList,
  CommandView,
  getDiff,
  ModeState,
  OutputPart,
  QueueWithStuck,
  recordOf,
  Stats,
} from '@signalbox/api';
import type * as z from 'zod';
import { askServer } from '../serve/ask-server.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import { followFromServer } from './follow-from-server.ts';
import { historyFromServer } from './history-from-server.ts';
import { newsFromServer } from './news-from-server.ts';
import { namedIn, withCommands } from './queue-read.ts';
import type { Sight } from './sight.ts';

/** What the server gives at once. */
const LONGEST_PAGE = 200;
const LONGEST_PART = 1024 * 1024;
/** A page without a limit. */
const DEFAULT_LIMIT = 100;

/**
 * The workspace of a server, over its API.
 *
 * @param onAsOf hears of which moment an answer is, epoch ms, when it is not of now
 */
export function sightOfServer(
  access: LocalAccess,
  clock: Clock,
  onAsOf: (asOf: number) => void = () => undefined,
): Sight {
  const look = <Answer>(path: string, answer: z.ZodType<Answer>): Promise<Answer> =>
    askServer(access, { method: 'GET', path, onAsOf }, answer);

  async function get(id: CommandId): Promise<CommandRecord | null> {
    return orNull('unknown-command', look(`/api/commands/${id}`, CommandView).then(recordOf));
  }

  async function page({ limit = DEFAULT_LIMIT, ...filter }: PageFilter): Promise<CommandPage> {
    const commands: CommandRecord[] = [];
    const query = queryOf(filter);
    for (;;) {
      query.set('limit', String(Math.min(LONGEST_PAGE, limit - commands.length)));
      const part = await look(`/api/commands?${query.toString()}`, CommandList);
      commands.push(...part.commands.map(recordOf));
      if (part.next === null || commands.length >= limit) return { commands, next: part.next };
      query.set('cursor', part.next);
    }
  }

  const list = async (filter: CommandFilter): Promise<readonly CommandRecord[]> =>
    (await page(filter)).commands;

  return {
    commands: {
      get,
      list,
      unfinished: async ({ states = UNFINISHED, limit = Number.MAX_SAFE_INTEGER } = {}) =>
        (await list({ states, limit })).toReversed(),
      countUnfinished: async () => (await look('/api/queue?limit=1', QueueWithStuck)).counts,
      async find(prefix) {
        // What can't begin an id is not asked for: the server would call it a mistake of ours.
        if (!/^[0-9a-z]{3,12}$/.test(prefix)) return [];
        const { commands } = await look(`/api/commands?id=${prefix}`, CommandList);
        return commands.map(({ id }) => id);
      },
      async forgotten(prefix) {
        if (!/^[0-9a-z]{3,12}$/.test(prefix)) return [];
        return (await look(`/api/commands?id=${prefix}`, CommandList)).forgotten ?? [];
      },
    },
    page,
    history: (filter) =>
      historyFromServer(access, { query: queryOf(filter), limit: filter.limit ?? DEFAULT_LIMIT, onAsOf }),
    async queue(most) {
      const { waiting, leases, counts, stuck } = await look(`/api/queue?limit=${most}`, QueueWithStuck);
      const snapshot = { waiting, leases };
      return withCommands(snapshot, counts, stuck, await Promise.all(namedIn(snapshot).map(get)));
    },
    mode: () => look('/api/mode', ModeState),
    stats: (since) => look(`/api/stats${since === undefined ? '' : `?since=${since}`}`, Stats),
    changesOf: (id) =>
      orNull(
        'nothing-kept',
        look(`/api/commands/${id}/diff`, getDiff.schema.response[200]).then(({ files }) => files),
      ),
    async printed({ id }, stream) {
      let text = '';
      for (let from = 0; ;) {
        const query = `stream=${stream}&from=${from}&length=${LONGEST_PART}`;
        const part = await look(`/api/commands/${id}/output?${query}`, OutputPart);
        text += part.text;
        if (part.to >= part.totalBytes || part.to <= from) return text;
        from = part.to;
      }
    },
    follow: (record, say) => followFromServer(access, record, { clock, say, get }),
    news: (options) => newsFromServer(access, { query: { output: 'none' }, after: null, clock, ...options }),
  };
}

const UNFINISHED: readonly CommandState[] = CommandStates.options.filter((state) => state !== 'done');

function queryOf(filter: PageFilter): URLSearchParams {
  const { sessionId, states, outcomes, limit: _, ...same } = filter;
  const fields = {
    ...same,
    session: sessionId,
    state: states?.join(','),
    outcome: outcomes?.join(','),
  };
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  );
}

/** Null where the server says that there is none. */
async function orNull<Answer>(code: string, answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UsageError && error.code === code) return null;
    throw error;
  }
}
