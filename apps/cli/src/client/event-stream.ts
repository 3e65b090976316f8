import { parseEvent } from '@signalbox/api';
import {
  type Clock,
  type CommandRecord,
  type Event,
  EventId,
  UnavailableError,
  UsageError,
} from '@signalbox/core';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import * as z from 'zod';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { jsonOf, refusalOf } from './send-to.ts';
import { fetchAt, MAX_ANSWER_BYTES, textOf, tooLarge } from './fetch-at.ts';
import { pause } from './pause.ts';

/** An update of a workspace, as a terminal follows it. */
export type StreamUpdate =
  /** Sent first: every later event follows, once and in order. */
  | Readonly<{ kind: 'begun' }>
  | Readonly<{ kind: 'event'; event: Event }>
  /** Events in between are lost: read the current state again. */
  | Readonly<{ kind: 'gap' }>;

/** A part of a command's output. */
export type OutputChunk = Readonly<{ stream: 'stdout' | 'stderr'; text: string }>;

/** A message of a server's event stream. */
type Frame =
  /** First message of a connection: events after `lastId` follow; null if there are none yet. */
  | Readonly<{ kind: 'hello'; lastId: EventId | null }>
  | Readonly<{ kind: 'event'; event: Event }>
  /** The server no longer has the events after the last one that we saw. */
  | Readonly<{ kind: 'reset'; lastId: EventId | null }>
  /** Its backend does not answer: its data is as of `asOf`, epoch ms. */
  | Readonly<{ kind: 'away'; asOf: number; why: string }>
  | Readonly<{ kind: 'back' }>;

type Query = Readonly<Record<string, string>>;

/** The server sends a keep-alive every 15 s. */
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;
const PATIENCE_MS = 120_000;

/**
 * The output of a command at a server. A broken connection is reopened and resumes where it broke.
 *
 * @throws {UnavailableError} `no-answer` or `coordinator-gone` when the server was away for longer than `patienceMs`
 */
export async function* followCommand(
  access: LocalAccess,
  { id, submittedAt }: Pick<CommandRecord, 'id' | 'submittedAt'>,
  options: Readonly<{
    clock: Clock;
    /** Called when a connection breaks and when it is back. */
    say: (what: string) => void;
    get: (id: CommandRecord['id']) => Promise<CommandRecord | null>;
    /** Called for each event of the command. */
    onEvent?: (event: Event) => void;
    /** How long the server may be away. Default: 2 minutes. */
    patienceMs?: number;
  }>,
): AsyncGenerator<OutputChunk> {
  const { clock, say, get, onEvent, patienceMs = PATIENCE_MS } = options;
  const left = new AbortController();
  const after = `${Math.floor(submittedAt) - 1}-0`;
  const query = { command: id, output: id };
  const update = followEvents(access, { query, after, clock, signal: left.signal, say, patienceMs });
  try {
    for await (const one of update) {
      if (one.kind === 'gap') {
        say('earlier output is no longer available');
        // Its end may be among the lost events.
        if ((await get(id))?.state === 'done') return;
      }
      if (one.kind !== 'event') continue;
      const { event } = one;
      onEvent?.(event);
      if (event.type === 'command_output') yield { stream: event.stream, text: event.output };
      if (isEnding(event)) return;
    }
  } finally {
    left.abort();
  }
}

/**
 * The events of a server, until the signal aborts. A broken connection is reopened and resumes where it broke.
 *
 * @throws {UsageError} for a rejected request. @throws {UnavailableError} `no-answer` or `coordinator-gone` when the
 * server was away for longer than `patienceMs`
 */
export async function* followEvents(
  access: LocalAccess,
  options: Readonly<{
    query?: Query;
    /** The last known event; null: only new ones. */
    after: string | null;
    clock: Clock;
    signal: AbortSignal;
    /** Called when a connection breaks and when it is back. */
    say: (what: string) => void;
    /** How long a server may be away. Default: no limit. */
    patienceMs?: number;
  }>,
): AsyncGenerator<StreamUpdate, void> {
  const { query = {}, clock, signal, say, patienceMs = Infinity } = options;
  let after = options.after;
  let hasBegun = false;
  let brokenAt: number | null = null;
  let pauseMs = FIRST_PAUSE_MS;

  while (!signal.aborted) {
    try {
      for await (const frame of await openEvents(access, { query, after, clock, signal })) {
        switch (frame.kind) {
          case 'hello':
            if (brokenAt !== null) say('reconnected');
            brokenAt = null;
            pauseMs = FIRST_PAUSE_MS;
            // A log without events has no last one; every id is after this one.
            after ??= frame.lastId ?? '0-0';
            if (!hasBegun) yield { kind: 'begun' };
            hasBegun = true;
            break;
          case 'reset':
            after = frame.lastId ?? after;
            yield { kind: 'gap' };
            break;
          case 'event':
            after = frame.event.id;
            yield frame;
            break;
          case 'away':
            say(`${frame.why}; resumes when it answers`);
            break;
          case 'back':
            break;
        }
      }
    } catch (error) {
      // A rejected request is not a connection error.
      if (error instanceof UsageError) throw error;
    }
    if (signal.aborted) return;
    brokenAt ??= clock.now();
    if (clock.now() - brokenAt > patienceMs) throw gone(access, patienceMs);
    if (pauseMs === FIRST_PAUSE_MS) say('connection lost; retrying');
    await pause(pauseMs, clock, signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

/**
 * The event stream of a server, once it answers; it ends with the connection. Stopping early closes the connection.
 *
 * @param after the last known event; null: only new ones
 * @throws {UsageError} for a rejected request. @throws when the connection breaks, is silent for 40 s, or sends an
 * event of over 64 MiB.
 */
export async function openEvents(
  access: LocalAccess,
  options: Readonly<{
    query?: Query;
    after: string | null;
    clock: Pick<Clock, 'timer'>;
    signal: AbortSignal;
  }>,
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

  async function* framesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
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
    if (response.status !== 200)
      throw refusalOf(access.url, response.status, { body: jsonOf(await textOf(response)) });
    return framesOf(response.body);
  } catch (error) {
    leave();
    throw error;
  }
}

const Present = z.object({ lastId: EventId.nullable() });
const Away = z.object({ asOf: z.number(), why: z.string() });

/** Parses server-sent events, however their bytes are split; unknown fields are ignored. */
export function createFrameReader(maxBytes = MAX_ANSWER_BYTES): (text: string) => readonly Frame[] {
  let frames: Frame[] = [];
  const parser = createParser({
    maxBufferSize: maxBytes,
    onEvent: (message) => frames.push(...frameOf(message)),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw tooLarge(maxBytes);
    },
  });
  return (text) => {
    frames = [];
    parser.feed(text);
    return frames;
  };
}

function frameOf({ event: kind, data: text }: EventSourceMessage): readonly Frame[] {
  const data = jsonOf(text);
  switch (kind) {
    case 'hello':
    case 'reset': {
      const present = Present.safeParse(data).data;
      return present === undefined ? [] : [{ kind, ...present }];
    }
    case 'away': {
      const away = Away.safeParse(data).data;
      return away === undefined ? [] : [{ kind, ...away }];
    }
    case 'back':
      return [{ kind }];
    case undefined: {
      const event = parseEvent(data);
      return event === null ? [] : [{ kind: 'event', event }];
    }
    default:
      return [];
  }
}

/** Whether a command is done with this event. */
export function isEnding({ type }: Event): boolean {
  return ENDINGS.has(type);
}

const ENDINGS: ReadonlySet<Event['type']> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

function gone({ url, socket }: LocalAccess, patienceMs: number): UnavailableError {
  if (socket !== undefined)
    return new UnavailableError(
      'coordinator-gone',
      'Cannot continue following: the coordinator has stopped',
      {
        next: ['signalbox status', 'the next signalbox run or serve settles its commands'],
      },
    );
  return new UnavailableError('no-answer', `Cannot continue following: ${url} does not answer`, {
    why: [`retried for ${patienceMs / 60_000} minutes; the command may still be running`],
    next: ['run this again when it answers'],
  });
}
