import type { Clock, CommandRecord, Event } from '@signalbox/core';
import type { LocalAccess } from '../serve/local-access.ts';
import { newsFromServer } from './news-from-server.ts';
import { isEnding } from './news.ts';
import type { PrintedPart, Sight } from './sight.ts';

/** After so long without an answer it is given up. */
const PATIENCE_MS = 120_000;

/**
 * What a command at a server prints. A connection that breaks is made anew, and goes on where it broke.
 *
 * @throws {UnavailableError} `no-answer` when the server does not answer for two minutes
 */
export async function* followFromServer(
  access: LocalAccess,
  { id, submittedAt }: Pick<CommandRecord, 'id' | 'submittedAt'>,
  {
    clock,
    say,
    get,
    hear,
    patienceMs = PATIENCE_MS,
  }: {
    clock: Clock;
    say: (what: string) => void;
    get: Sight['commands']['get'];
    /** Told of each event of the command. */
    hear?: (type: Event['type']) => void;
    /** Default: 2 minutes. */
    patienceMs?: number;
  },
): AsyncGenerator<PrintedPart> {
  const left = new AbortController();
  const news = newsFromServer(access, {
    query: { command: id, output: id },
    after: `${Math.floor(submittedAt) - 1}-0`,
    clock,
    signal: left.signal,
    say,
    patienceMs,
  });
  try {
    for await (const one of news) {
      if (one.kind === 'gap') {
        say('what it printed before is no longer told');
        // Its ending may be among what is gone.
        if ((await get(id))?.state === 'done') return;
      }
      if (one.kind !== 'event') continue;
      const { event } = one;
      hear?.(event.type);
      if (event.type === 'command_output') yield { stream: event.stream, text: event.output };
      if (isEnding(event)) return;
    }
  } finally {
    left.abort();
  }
}
