import type { Clock } from '@signalbox/core';
import { fetchAt } from '../client/fetch-at.ts';
import { jsonOf, refusalOf } from '../client/client-at.ts';
import { createFrameReader, type Frame } from './event-frames.ts';
import type { LocalAccess } from './local-access.ts';

/** The server gives a sign of life every 15 s. */
const SILENCE_MS = 40_000;

/**
 * The event stream of a server, once it answers; it ends with the connection. Whoever leaves it early, leaves the
 * server too.
 *
 * @param after the last event that is known already; null: only what comes from now on
 * @throws {UsageError} what the server says against it. @throws when the connection breaks, or is silent for 40 s.
 */
export async function openEvents(
  access: LocalAccess,
  options: {
    readonly query?: Readonly<Record<string, string>>;
    readonly after: string | null;
    readonly clock: Pick<Clock, 'timer'>;
    readonly signal: AbortSignal;
  },
): Promise<AsyncGenerator<Frame, void>> {
  const { clock, signal, after, query = {} } = options;
  const attempt = new AbortController();
  const abort = (): void => attempt.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  let cancelWatch = clock.timer(SILENCE_MS, abort);

  function leave(): void {
    cancelWatch();
    abort();
    signal.removeEventListener('abort', abort);
  }

  async function* framesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Frame, void> {
    try {
      const read = createFrameReader();
      const decoder = new TextDecoder();
      for await (const bytes of body) {
        cancelWatch();
        cancelWatch = clock.timer(SILENCE_MS, abort);
        yield* read(decoder.decode(bytes, { stream: true }));
      }
    } finally {
      leave();
    }
  }

  try {
    const response = await fetchAt(access, `/api/events?${new URLSearchParams(query).toString()}`, {
      headers: after === null ? {} : { 'last-event-id': after },
      signal: attempt.signal,
    });
    if (!response.ok || response.body === null)
      throw refusalOf(access.url, response.status, jsonOf(await response.text()));
    return framesOf(response.body);
  } catch (error) {
    leave();
    throw error;
  }
}
