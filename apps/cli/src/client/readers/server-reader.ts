import { type ApiClient, CommandView, exportHistory, recordOf } from '@signalbox/api';
import {
  type Clock,
  type CommandFilter,
  type CommandId,
  type CommandPage,
  type CommandRecord,
  type CommandState,
  CommandState as CommandStates,
  cursorOf,
  errorText,
  type PageFilter,
  SignalboxError,
  UnavailableError,
} from '@signalbox/core';
import { clientAt } from '../client-at.ts';
import { asOfIn, jsonOf, refusalOf, unlessRefused } from '../send-to.ts';
import { fetchAt, textOf } from '../fetch-at.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { followCommand, followEvents } from '../event-stream.ts';
import { namedIn, type Reader, withCommands } from './reader.ts';

/** The server's maximum per page. */
const LONGEST_PAGE = 200;
const LONGEST_PART = 1024 * 1024;
/** A page without a limit. */
const DEFAULT_LIMIT = 100;
/** A coordinator that has ended on this machine does not come back by itself. */
const RESTARTS_WITHIN_MS = 3000;

/**
 * The workspace of a server, over its API.
 *
 * @param onAsOf Called with the time of the data (epoch ms) when it is not current.
 */
export function serverReader(
  access: LocalAccess,
  clock: Clock,
  onAsOf: (asOf: number) => void = () => undefined,
): Reader {
  const client = clientAt(access, { onAsOf });

  async function get(id: CommandId): Promise<CommandRecord | null> {
    return unlessRefused('unknown-command', client.getCommand({ id }).then(recordOf));
  }

  async function withId(prefix: string): Promise<Partial<Awaited<ReturnType<ApiClient['listCommands']>>>> {
    // An impossible prefix is not requested: the server would report it as our mistake.
    return /^[0-9a-z]{3,12}$/.test(prefix) ? client.listCommands({ id: prefix }) : {};
  }

  async function page({ limit = DEFAULT_LIMIT, ...filter }: PageFilter): Promise<CommandPage> {
    const commands: CommandRecord[] = [];
    const query = queryOf(filter);
    let { cursor } = query;
    for (;;) {
      const max = Math.min(LONGEST_PAGE, limit - commands.length);
      const part = await client.listCommands({ ...query, cursor, limit: max });
      commands.push(...part.commands.map(recordOf));
      if (part.next === null || commands.length >= limit) return { commands, next: part.next };
      cursor = part.next;
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
      countUnfinished: async () => (await client.getQueue({ limit: 1 })).counts,
      find: async (prefix) => (await withId(prefix)).commands?.map(({ id }) => id) ?? [],
      forgotten: async (prefix) => (await withId(prefix)).forgotten ?? [],
    },
    page,
    history: (filter) => historyOf(access, filter, onAsOf),
    async queue(max) {
      const { waiting, leases, counts, stuck } = await client.getQueue({ limit: max });
      const snapshot = { waiting, leases };
      return withCommands(snapshot, counts, { stuck, found: await Promise.all(namedIn(snapshot).map(get)) });
    },
    mode: () => client.getMode(),
    stats: (since) => client.getStats({ since }),
    async session(id) {
      const found = await unlessRefused('unknown-session', client.getTranscript({ id }));
      if (found === null) return null;
      const compressions = found.items.filter((item) => item.kind === 'compression');
      return { session: found.session, compressions };
    },
    changesOf: async (id) => (await unlessRefused('nothing-kept', client.getDiff({ id })))?.files ?? null,
    async printed({ id }, stream) {
      let text = '';
      for (let from = 0; ;) {
        const part = await client.readOutput({ id, stream, from, length: LONGEST_PART });
        text += part.text;
        if (part.to >= part.totalBytes || part.to <= from) return text;
        from = part.to;
      }
    },
    follow: (record, say) => {
      const patience = access.socket === undefined ? {} : { patienceMs: RESTARTS_WITHIN_MS };
      return followCommand(access, record, { clock, say, get, ...patience });
    },
    update: (options) => followEvents(access, { query: { output: 'none' }, after: null, clock, ...options }),
  };
}

const UNFINISHED: readonly CommandState[] = CommandStates.options.filter((state) => state !== 'done');

/** A filter in the API's form. */
function queryOf({ sessionId, states, outcomes, ...same }: Omit<PageFilter, 'limit'>) {
  return { ...same, session: sessionId, state: states?.join(','), outcome: outcomes?.join(',') };
}

/** The newest of the history, with whole outputs: the server's own export, read up to the limit. */
async function historyOf(
  access: LocalAccess,
  { limit = DEFAULT_LIMIT, ...filter }: PageFilter,
  onAsOf: (asOf: number) => void,
): Promise<CommandPage> {
  const fields = Object.entries(queryOf(filter)).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]));
  try {
    const response = await fetchAt(access, `${exportHistory.url}?format=jsonl&${query.toString()}`);
    if (response.status !== 200) {
      throw refusalOf(access.url, response.status, { body: jsonOf(await textOf(response)) });
    }
    const asOf = asOfIn(response.header);
    if (asOf !== null) onAsOf(asOf);
    const commands: CommandRecord[] = [];
    for await (const row of rowsOf(response.body)) {
      const last = commands.at(-1);
      if (commands.length === limit && last !== undefined) return { commands, next: cursorOf(last) };
      commands.push(recordOf(CommandView.parse(JSON.parse(row))));
    }
    return { commands, next: null };
  } catch (error) {
    if (error instanceof SignalboxError) throw error;
    throw new UnavailableError('no-answer', `Cannot read the history of the server at ${access.url}`, {
      why: [errorText(error)],
      next: ['try again'],
      cause: error,
    });
  }
}

/** Stopping early ends the request. */
async function* rowsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const rows = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = rows.pop() ?? '';
    yield* rows;
  }
}
