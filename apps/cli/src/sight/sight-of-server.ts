import {
  type CommandFilter,
  type CommandId,
  type CommandRecord,
  type CommandState,
  CommandState as CommandStates,
  type Clock,
  UsageError,
} from '@signalbox/core';
import * as z from 'zod';
import { askServer } from '../serve/ask-server.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import { SeenCommand } from '../watch/snapshot.ts';
import { CommandsPage, FileDiffs, ModeSeen, OutputPart, QueueSeen, StatsSeen } from './answers.ts';
import { followFromServer } from './follow-from-server.ts';
import { historyFromServer } from './history-from-server.ts';
import { namedIn, withCommands } from './queue-read.ts';
import type { Sight } from './sight.ts';

/** What the server gives at once. */
const LONGEST_PAGE = 200;
const LONGEST_PART = 1024 * 1024;
/** A list without a limit. */
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
    return orNull('unknown-command', look(`/api/commands/${id}`, SeenCommand));
  }

  async function list(filter: CommandFilter): Promise<readonly CommandRecord[]> {
    const limit = filter.limit ?? DEFAULT_LIMIT;
    const found: CommandRecord[] = [];
    let cursor: string | null = null;
    do {
      const query = queryOf(filter);
      query.set('limit', String(Math.min(LONGEST_PAGE, limit - found.length)));
      if (cursor !== null) query.set('cursor', cursor);
      const page: z.infer<typeof CommandsPage> = await look(
        `/api/commands?${query.toString()}`,
        CommandsPage,
      );
      found.push(...page.commands);
      cursor = page.next;
    } while (cursor !== null && found.length < limit);
    return found;
  }

  return {
    commands: {
      get,
      list,
      unfinished: () => list({ states: UNFINISHED, limit: Number.MAX_SAFE_INTEGER }),
      async find(prefix) {
        // What can't begin an id is not asked for: the server would call it a mistake of ours.
        if (!/^[0-9a-z]{3,12}$/.test(prefix)) return [];
        const { commands } = await look(`/api/commands?id=${prefix}`, CommandsPage);
        return commands.map(({ id }) => id);
      },
    },
    history: (filter) =>
      historyFromServer(access, { query: queryOf(filter), limit: filter.limit ?? DEFAULT_LIMIT, onAsOf }),
    async queue() {
      const { waiting, leases, stuck } = await look('/api/queue', QueueSeen);
      const snapshot = { waiting, leases };
      return withCommands(snapshot, stuck, await Promise.all(namedIn(snapshot).map(get)));
    },
    mode: () => look('/api/mode', ModeSeen),
    stats: (since) => look(`/api/stats${since === undefined ? '' : `?since=${since}`}`, StatsSeen),
    changesOf: (id) =>
      orNull(
        'nothing-kept',
        look(`/api/commands/${id}/diff`, FileDiffs).then(({ files }) => files),
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
  };
}

const UNFINISHED: readonly CommandState[] = CommandStates.options.filter((state) => state !== 'done');

function queryOf({ provider, sessionId, tool, states, outcomes, from, to }: CommandFilter): URLSearchParams {
  const fields = {
    provider,
    session: sessionId,
    tool,
    state: states?.join(','),
    outcome: outcomes?.join(','),
    from,
    to,
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
