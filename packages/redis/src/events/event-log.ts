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
import type { Connection } from '../connection/connection.ts';
import { defineScript, luaFile } from '../script.ts';
import { isAfter, laterOf } from './event-position.ts';

export type RedisEventLog = EventLog & {
  /** How many are kept at least. */
  readonly keep: number;
  /** Where they are published, without the workspace's prefix. */
  topic(): string;
  /** Tells of events that a script has stored: who subscribes from now on hears only later ones. */
  stored(ids: readonly EventId[]): void;
  /** Starts to hear what any process stores. Default topic: {@link EXECUTION_TOPIC}. */
  open(topic?: string): Promise<void>;
  /** The newest, at most so many, and the id that they follow on; null: nothing was ever before them. */
  newest(count: number): Promise<{ readonly events: readonly Event[]; readonly after: EventId | null }>;
  /** By then the subscribers have heard all; epoch milliseconds by this process's clock. */
  heardBy(): number;
  /** Calls back when events were dropped before the subscribers could hear them; call the answer to end that. */
  onGap(listener: () => void): () => void;
  /** Resolves when the subscribers have heard all that is stored by now. */
  caughtUp(): Promise<void>;
};

/** How many events are kept at least, unless another number is given. */
const KEPT_EVENTS = 100_000;
const PAGE = 1000;

const append = defineScript({
  url: luaFile('append'),
  libraries: [luaFile('events')],
  argv: ({ topic, keep, events }: { topic: string; keep: number; events: readonly string[] }) => [
    topic,
    keep,
    ...events,
  ],
  reply: z.array(EventId),
});

const since = defineScript({
  url: luaFile('since'),
  argv: ({ id, limit }: { id: EventId | null; limit: number }) => [id ?? '', limit],
  reply: z.union([z.tuple([z.literal('reset')]), z.tuple([z.literal('events')], z.string())]),
});

/**
 * The log is a stream; whoever stores an event publishes it in the same step, so that order of the log and
 * order of hearing are one. What was published while this process was cut off is read from the stream.
 */
export function createEventLog(options: {
  readonly connection: Connection;
  readonly logger: Logger;
  /** Default 100,000; the oldest are dropped when 64 more have come. */
  readonly keep?: number;
}): RedisEventLog {
  const { connection, logger, keep = KEPT_EVENTS } = options;
  const ears = new Set<{ readonly listener: (event: Event) => void; readonly after: EventId | null }>();
  /** The last that the subscribers were told, and the last that this process knows of. */
  let heard: EventId | null = null;
  let known: EventId | null = null;
  let reading = false;
  let topic = EXECUTION_TOPIC;
  let missed = false;
  let isSubscribed = false;
  /** While what was missed has not been read: by when all was heard. */
  let behindSince: number | null = null;
  const onGap = new Set<() => void>();
  let waiting: { readonly until: EventId; readonly resolve: () => void }[] = [];

  const deliver = (event: Event): void => {
    if (!isAfter(event.id, heard)) return;
    heard = event.id;
    known = laterOf(known, event.id);
    for (const { listener, after } of ears) {
      if (!isAfter(event.id, after)) continue;
      try {
        listener(event);
      } catch (error) {
        logger.error({ error }, 'event listener failed; it goes on hearing');
      }
    }
    for (const { until, resolve } of waiting) if (!isAfter(until, heard)) resolve();
    waiting = waiting.filter(({ until }) => isAfter(until, heard));
  };

  /** Reads and delivers what came after the last heard, until nothing was published while it read. */
  const readMissed = async (): Promise<void> => {
    missed = true;
    behindSince ??= connection.subscriptions.heardBy();
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

  const readPage = async (): Promise<number> => {
    const page = await read(heard, PAGE);
    if (page.kind === 'events') {
      for (const event of page.events) deliver(event);
      return page.events.length;
    }
    logger.warn({ lastHeard: heard }, 'events were dropped before this process could hear them');
    heard = null;
    for (const listener of onGap) listener();
    return PAGE;
  };

  const read = async (id: EventId | null, limit: number): Promise<Replay> => {
    const [kind, ...entries] = await connection.run(since, { id, limit });
    if (kind === 'reset') return { kind };
    const events: Event[] = [];
    for (let n = 0; n + 1 < entries.length; n += 2)
      events.push(toEvent(entries[n] ?? '', entries[n + 1] ?? ''));
    return { kind, events };
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
    since: (id, limit = 1000) => read(id, limit),

    async append(events) {
      if (events.length === 0) return [];
      const texts = events.map((event) => JSON.stringify(event));
      const ids = await connection.run(append, { topic, keep, events: texts });
      stored(ids);
      return events.map((event, n) => ({ ...event, ...stampOf(ids[n] ?? '') }));
    },

    subscribe(listener) {
      const ear = { listener, after: known };
      ears.add(ear);
      return () => ears.delete(ear);
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

    heardBy: () => behindSince ?? connection.subscriptions.heardBy(),

    onGap(listener) {
      onGap.add(listener);
      return () => onGap.delete(listener);
    },

    async open(of = EXECUTION_TOPIC) {
      topic = of;
      heard = known = await lastId();
      await connection.subscriptions.add({
        channel: `${connection.prefix}${topic}`,
        hear(message) {
          // A message can be here before word that the subscription is: what came before it is read first.
          if (isSubscribed && behindSince === null) deliver(eventOf(message));
          else missed = true;
        },
        lost() {
          isSubscribed = false;
        },
        begin() {
          isSubscribed = true;
          readMissed().catch((error: unknown) => {
            logger.warn({ error }, 'missed events not read; they are when Redis answers again');
          });
        },
      });
    },

    async caughtUp() {
      const last = await lastId();
      if (last === null || !isAfter(last, heard)) return;
      await new Promise<void>((resolve) => {
        waiting.push({ until: last, resolve });
      });
    },
  };
}

const Published = z.looseObject({ id: EventId, at: z.number() });

/** As it is published. */
function eventOf(json: string): Event {
  const { id, at, ...event } = Published.parse(JSON.parse(json));
  return { ...NewEvent.parse(event), id, at };
}

function toEvent(id: string, json: string): Event {
  return { ...NewEvent.parse(JSON.parse(json)), ...stampOf(id) };
}

/** The time is in the id. */
function stampOf(id: string): { id: EventId; at: number } {
  return { id: EventId.parse(id), at: Number(id.split('-', 1)[0]) };
}
