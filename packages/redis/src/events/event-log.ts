import {
  type Event,
  EventId,
  type EventLog,
  EXECUTION_TOPIC,
  type Logger,
  NewEvent,
  type Replay,
} from '@signalbox/core';
import * as z from 'zod';
import type { RedisConnection } from '../connection/connection.ts';
import { defineScript, luaFile } from '../script.ts';
import { isAfter, laterOf, stampOf } from './event-position.ts';

export type RedisEventLog = EventLog & {
  /** Minimum number of events kept. */
  readonly keep: number;
  /** Channel the events are published on, without the workspace's prefix. */
  topic(): string;
  /** Records events that a script has stored: subscribers added from now on receive only later ones. */
  stored(ids: readonly EventId[]): void;
  /** Starts to receive what any process stores. Default topic: {@link EXECUTION_TOPIC}. */
  open(topic?: string): Promise<void>;
  /** The newest `count` events, and the id before them; null: there was never an event before them. */
  newest(count: number): Promise<{ readonly events: readonly Event[]; readonly after: EventId | null }>;
  /** The subscribers have received everything up to this time, in epoch milliseconds by this process's clock. */
  confirmedAt(): number;
  /** Called when events were dropped before the subscribers could receive them. Call the result to stop. */
  onGap(listener: () => void): () => void;
  /** Resolves when the subscribers have received everything stored so far. */
  caughtUp(): Promise<void>;
};

/** Default minimum number of events kept. */
const KEPT_EVENTS = 100_000;
const PAGE = 1000;

const append = defineScript({
  url: luaFile('events/append'),
  libraries: [luaFile('events/events')],
  argv: ({ topic, keep, events }: { topic: string; keep: number; events: readonly string[] }) => [
    topic,
    keep,
    ...events,
  ],
  reply: z.array(EventId),
});

const since = defineScript({
  url: luaFile('events/since'),
  argv: ({ id, limit }: { id: EventId | null; limit: number }) => [id ?? '', limit],
  reply: z.union([z.tuple([z.literal('reset')]), z.tuple([z.literal('events')], z.string())]),
});

/**
 * The log is a stream. A process that stores an event publishes it in the same step, so the order of the log is the
 * order of delivery. Events published while this process was disconnected are read from the stream.
 */
export function createEventLog(options: {
  readonly connection: RedisConnection;
  readonly logger: Logger;
  /** Default 100,000; the oldest are dropped once 64 more were added. */
  readonly keep?: number;
}): RedisEventLog {
  const { connection, logger, keep = KEPT_EVENTS } = options;
  const subscribers = new Set<{
    readonly listener: (event: Event) => void;
    readonly after: EventId | null;
  }>();
  /** The last event delivered to the subscribers, and the last one this process knows of. */
  let delivered: EventId | null = null;
  let known: EventId | null = null;
  let reading = false;
  let topic = EXECUTION_TOPIC;
  let missed = false;
  let isSubscribed = false;
  /** While missed events have not been read: the time up to which all were delivered. */
  let behindSince: number | null = null;
  const onGap = new Set<() => void>();
  let waiting: { readonly until: EventId; readonly resolve: () => void }[] = [];

  const advanceTo = (id: EventId): void => {
    delivered = id;
    for (const { until, resolve } of waiting) if (!isAfter(until, id)) resolve();
    waiting = waiting.filter(({ until }) => isAfter(until, id));
  };

  const deliver = (event: Event): void => {
    if (!isAfter(event.id, delivered)) return;
    delivered = event.id;
    known = laterOf(known, event.id);
    for (const { listener, after } of subscribers) {
      if (!isAfter(event.id, after)) continue;
      try {
        listener(event);
      } catch (error) {
        logger.error({ error }, 'event listener failed; it stays subscribed');
      }
    }
    advanceTo(event.id);
  };

  /** Reads and delivers the events after the last delivered one, until none was published during a read. */
  const readMissed = async (): Promise<void> => {
    missed = true;
    behindSince ??= connection.subscriptions.confirmedAt();
    if (reading) return;
    reading = true;
    try {
      while (missed) {
        missed = false;
        for (let full = true; full;) full = (await readPage()) === PAGE;
      }
      behindSince = null;
    } finally {
      reading = false;
    }
  };

  function catchUp(): void {
    readMissed().catch((error: unknown) => {
      logger.warn({ error }, 'missed events not read; they are when Redis answers again');
    });
  }

  const readPage = async (): Promise<number> => {
    const entries = await read(delivered, PAGE);
    if (entries !== null) {
      for (const [id, json] of entries) {
        const event = parseOrNull(id, () => toEvent(id, json));
        if (event === null) advanceTo(EventId.parse(id));
        else deliver(event);
      }
      return entries.length;
    }
    logger.warn({ lastReceived: delivered }, 'events were dropped before this process could receive them');
    delivered = null;
    for (const listener of onGap) listener();
    return PAGE;
  };

  /** Ids and events as JSON; null: the events after `id` were dropped. */
  const read = async (id: EventId | null, limit: number) => {
    const [kind, ...reported] = await connection.run(since, { id, limit });
    if (kind === 'reset') return null;
    return Array.from(
      { length: reported.length / 2 },
      (_, n) => [reported[2 * n] ?? '', reported[2 * n + 1] ?? ''] as const,
    );
  };

  /** Null for an event that is damaged or of a later version, so that it does not block the others. */
  const parseOrNull = (id: string, parse: () => Event | null): Event | null => {
    try {
      return parse();
    } catch (error) {
      logger.error({ id, error }, 'event not readable; it is skipped');
      return null;
    }
  };

  const lastId = async (): Promise<EventId | null> => {
    const [newest] = await connection.ask((redis) =>
      redis.xrevrange(`${connection.prefix}events`, '+', '-', 'COUNT', 1),
    );
    return newest === undefined ? null : EventId.parse(newest[0]);
  };

  const stored = (ids: readonly EventId[]): void => {
    const last = ids.at(-1);
    if (last !== undefined) known = laterOf(known, last);
  };

  return {
    keep,
    topic: () => topic,
    stored,
    lastId,
    async since(id, limit = 1000): Promise<Replay> {
      const events: Event[] = [];
      for (let after = id; ;) {
        const wanted = limit - events.length;
        const entries = await read(after, wanted);
        if (entries === null) return { kind: 'reset' };
        events.push(...entries.flatMap(([at, json]) => parseOrNull(at, () => toEvent(at, json)) ?? []));
        const last = entries.at(-1);
        if (last === undefined || entries.length < wanted || events.length >= limit)
          return { kind: 'events', events };
        after = EventId.parse(last[0]);
      }
    },

    async eachOfSessions(take) {
      for (let after: EventId | null = null; ;) {
        const entries = (await read(after, PAGE)) ?? [];
        for (const [at, json] of entries) {
          const event = parseOrNull(at, () => toEventOfSession(at, json));
          if (event !== null) take(event);
        }
        const last = entries.at(-1);
        if (last === undefined || entries.length < PAGE) return;
        after = EventId.parse(last[0]);
      }
    },

    async append(events) {
      if (events.length === 0) return [];
      const texts = events.map((event) => JSON.stringify(event));
      const ids = await connection.run(append, { topic, keep, events: texts });
      stored(ids);
      return events.map((event, n) => ({ ...event, ...stampOf(ids[n] ?? '') }));
    },

    subscribe(listener) {
      const subscriber = { listener, after: known };
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },

    async newest(count) {
      const log = `${connection.prefix}events`;
      const [dropped, entries] = await connection.ask((redis) =>
        Promise.all([redis.get(`${log}:dropped`), redis.xrevrange(log, '+', '-', 'COUNT', count + 1)]),
      );
      const found = entries.toReversed().map(([id, [, json = '']]) => toEvent(id, json));
      const first = found.length > count ? found.shift() : undefined;
      return { events: found, after: first?.id ?? (dropped === null ? null : EventId.parse(dropped)) };
    },

    confirmedAt: () => behindSince ?? connection.subscriptions.confirmedAt(),

    onGap(listener) {
      onGap.add(listener);
      return () => onGap.delete(listener);
    },

    async open(of = EXECUTION_TOPIC) {
      topic = of;
      delivered = known = await lastId();
      await connection.subscriptions.add({
        channel: `${connection.prefix}${topic}`,
        receive(message) {
          // A message can arrive before its subscription is confirmed: earlier events are read first.
          if (isSubscribed && behindSince === null) {
            const event = parseOrNull('', () => eventOf(message));
            return event === null ? undefined : deliver(event);
          }
          missed = true;
          // Missed events could not be read. Try again here, or nothing would be delivered any more.
          if (isSubscribed && !reading) catchUp();
        },
        lost() {
          isSubscribed = false;
        },
        begin() {
          isSubscribed = true;
          catchUp();
        },
      });
    },

    async caughtUp() {
      const last = await lastId();
      if (last === null || !isAfter(last, delivered)) return;
      await new Promise<void>((resolve) => {
        waiting.push({ until: last, resolve });
      });
    },
  };
}

const Published = z.looseObject({ id: EventId, at: z.number() });

/** Parses an event as published. */
function eventOf(json: string): Event {
  const { id, at, ...event } = Published.parse(JSON.parse(json));
  return { ...NewEvent.parse(event), id, at };
}

function toEvent(id: string, json: string): Event {
  return { ...NewEvent.parse(JSON.parse(json)), ...stampOf(id) };
}

/** Null for an event of a command: most are, and those are not parsed further. */
function toEventOfSession(id: string, json: string): Event | null {
  const raw: unknown = JSON.parse(json);
  if (typeof raw === 'object' && raw !== null && 'commandId' in raw) return null;
  return { ...NewEvent.parse(raw), ...stampOf(id) };
}
