import { CommandView, recordOf } from '@signalbox/api';
import {
  type CommandPage,
  type CommandRecord,
  cursorOf,
  SignalboxError,
  UnavailableError,
} from '@signalbox/core';
import { fetchAt } from '../client/fetch-at.ts';
import { asOfIn, jsonOf, refusalOf } from '../client/client-at.ts';
import type { LocalAccess } from '../serve/local-access.ts';

/**
 * The newest of the history, with whole outputs: the server's own export, read up to the limit.
 *
 * @throws {UnavailableError} `no-answer`. @throws {UsageError} what it says against it.
 */
export async function historyFromServer(
  access: LocalAccess,
  {
    query,
    limit,
    onAsOf,
  }: {
    readonly query: URLSearchParams;
    readonly limit: number;
    /** Hears of which moment it is, epoch ms, when that is not now. */
    readonly onAsOf: (asOf: number) => void;
  },
): Promise<CommandPage> {
  try {
    const response = await fetchAt(access, `/api/history/export?format=jsonl&${query.toString()}`);
    if (!response.ok || response.body === null) {
      throw refusalOf(access.url, response.status, jsonOf(await response.text()));
    }
    const asOf = asOfIn(response);
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
      why: [error instanceof Error ? error.message : String(error)],
      next: ['try again'],
      cause: error,
    });
  }
}

/** Who stops reading in the middle, ends the request. */
async function* rowsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const rows = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = rows.pop() ?? '';
    yield* rows;
  }
}
