import { HelloFrame, parseEvent } from '@signalbox/api';
import type { Clock, Event } from '@signalbox/core';
import { EventSourceParserStream } from 'eventsource-parser/stream';

const AGAIN_AFTER_MS = 250;

/** An event, or that the server no longer has those after the last one. */
export type FollowedUpdate = Readonly<{ kind: 'event'; event: Event }> | Readonly<{ kind: 'gap' }>;

/** Follows the event stream of a server as a browser does: a broken connection resumes after the last event. */
export async function* followEvents(options: {
  /** The server that can be called now. */
  readonly url: () => Promise<string>;
  readonly token: string;
  readonly after: string | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): AsyncGenerator<FollowedUpdate> {
  const { url, token, clock, signal } = options;
  let { after } = options;
  while (!signal.aborted) {
    try {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(after === null ? {} : { 'last-event-id': after }),
      };
      const { body, status } = await fetch(new URL('/api/events', await url()), { headers, signal });
      if (status !== 200 || body === null) throw new Error(`GET /api/events: ${status}`);
      const frames = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { event: kind, data } of frames) {
        if (kind === 'reset') {
          after = HelloFrame.pick({ lastId: true }).parse(JSON.parse(data)).lastId ?? after;
          yield { kind: 'gap' };
        } else if (kind === undefined) {
          const event = parseEvent(JSON.parse(data));
          if (event === null) continue;
          after = event.id;
          yield { kind: 'event', event };
        }
      }
    } catch {
      // Its coordinator was killed, or the run is over.
    }
    if (!signal.aborted) await new Promise<void>((resolve) => clock.timer(AGAIN_AFTER_MS, resolve));
  }
}
