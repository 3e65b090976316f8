import { type EventFilter, followEvents } from '@signalbox/api';
import type { ServerResponse } from 'node:http';
import { type Event, EventId } from '@signalbox/core';
import { visitorOfRequest } from '../access/authenticate.ts';
import { watchEvents } from '../events/watch-events.ts';
import { RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** Lets a client tell a server that stops from one that died. */
const BYE = 'event: bye\ndata: {"why":"stopping"}\n\n';
/** Per token, so that one token can't use all the memory; a dashboard opens one stream for each of its pages. */
const MAX_STREAMS = 200;

/** The live event feed. */
export function eventRoutes(
  app: Routes,
  { events, lastKnown, readTokens, clock, closingOf }: RouteParts,
): void {
  const streams = countStreams();

  app.get(
    followEvents.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'All events, as server-sent events',
        description:
          'Begins with `hello`, ends with `bye` when the server stops. `Last-Event-ID` (or `after`) replays missed events, or sends `reset` when there are too many: take a new snapshot; the next events come after its `lastId`. `away` reports that the backend does not answer, and the time of the data returned meanwhile; `back` reports that it answers again.',
        tags: ['events'],
        produces: ['text/event-stream'],
        ...followEvents.schema,
      },
    },
    (request, reply) => {
      const { after, ...filter } = request.query;
      const seen = request.headers['last-event-id'] ?? after;
      const parsed = seen === undefined ? null : EventId.safeParse(seen);
      if (parsed?.success === false) {
        throw new RequestRefusedError(400, 'invalid-event-id', 'Cannot resume: Last-Event-ID is unknown');
      }
      const { tokenId } = visitorOfRequest(request);
      const ended = streams.open(tokenId);
      if (ended === null) throw tooMany();
      reply.hijack();
      const { raw } = reply;
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value);
      raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      const stop = watchEvents({
        events,
        lastKnown,
        clock,
        wants: createEventTest(filter),
        isWelcome: () => readTokens.has(tokenId),
        after: parsed?.data ?? null,
        watcher: {
          write(text) {
            raw.write(text);
            return raw.writableLength;
          },
          drained: () => drained(raw),
          drop: () => raw.destroy(),
        },
      });
      const closing = closingOf(request);
      const leave = (): void => {
        stop();
        raw.end(BYE, () => raw.destroy());
      };
      closing.addEventListener('abort', leave);
      raw.on('close', () => {
        stop();
        ended();
        closing.removeEventListener('abort', leave);
      });
    },
  );
}

function drained(raw: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!raw.writableNeedDrain || raw.destroyed) resolve();
  raw.once('drain', resolve).once('close', resolve);
  return promise.finally(() => raw.off('drain', resolve).off('close', resolve));
}

function tooMany(): RequestRefusedError {
  return new RequestRefusedError(
    429,
    'too-many-streams',
    'Cannot open another stream: this token has too many open streams',
    {
      next: ['close one of them', 'share one stream between clients'],
    },
  );
}

/** Counts open streams by token. */
export function countStreams(): {
  /** Returns a function that reports the end of the stream; null when the token is at its limit. */
  open(tokenId: string): (() => void) | null;
} {
  const counts = new Map<string, number>();
  return {
    open(tokenId) {
      const count = counts.get(tokenId) ?? 0;
      if (count >= MAX_STREAMS) return null;
      counts.set(tokenId, count + 1);
      return () => {
        const left = (counts.get(tokenId) ?? 1) - 1;
        if (left === 0) counts.delete(tokenId);
        else counts.set(tokenId, left);
      };
    },
  };
}

function createEventTest(filter: EventFilter): (event: Event) => boolean {
  const types = filter.types === undefined ? null : new Set(filter.types.split(','));
  return (event) => {
    if (event.type === 'command_output' && !wantsOutput(filter.output, event.commandId)) return false;
    if (types !== null && !types.has(event.type)) return false;
    if (filter.provider !== undefined && (!('provider' in event) || event.provider !== filter.provider))
      return false;
    if (filter.session !== undefined && (!('sessionId' in event) || event.sessionId !== filter.session))
      return false;
    return filter.command === undefined || ('commandId' in event && event.commandId === filter.command);
  };
}

function wantsOutput(wanted: string, commandId: string): boolean {
  return wanted === 'all' || wanted === commandId;
}
