import {
  type Clock,
  type CommandId,
  type CommandRecord,
  type CommandStore,
  type Event,
  type EventId,
  type Json,
  type LastKnown,
  type Logger,
  UnavailableError,
  countsOfUnfinished,
  unfinishedOf,
} from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import { absenceInWords } from '../connection/redis-failure.ts';
import type { RedisEventLog } from '../events/event-log.ts';
import { isAfter } from '../events/event-position.ts';
import type { RedisFacts } from '../store/facts.ts';
import { createKnownEvents, type KnownEvents } from './known-events.ts';
import { latestOf } from './latest-records.ts';
import { createKnownRecords, type KnownRecords } from './known-records.ts';

export type RememberedBackend = LastKnown & {
  /** Starts to load what is stored; nothing is known until that is done. */
  open(): void;
  /** Whether every reported change has been read. */
  isCaughtUp(): boolean;
  /** Call when this process has stored the record; `lastEvent` is the last event stored with it. */
  stored(record: CommandRecord, lastEvent: EventId | null): void;
  close(): void;
};

type Memory = {
  readonly records: KnownRecords;
  readonly events: KnownEvents;
  readonly facts: Map<string, Json>;
};

/** Delay between a change by another process and reading it, so that changes are read in batches. */
const REFRESH_MS = 500;
const REFRESHED_AT_ONCE = 100;
const EVENTS = 2000;

/**
 * Remembers what Redis holds while it answers: commands stored by this process or reported as stored by others, and
 * events and facts as published. After each outage everything is read again.
 */
export function rememberBackend(options: {
  readonly connection: RedisConnection;
  readonly store: CommandStore;
  readonly events: RedisEventLog;
  readonly facts: RedisFacts;
  readonly clock: Clock;
  readonly logger: Logger;
}): RememberedBackend {
  const { connection, store, events, facts, clock, logger } = options;
  const { presence } = connection;
  /** Null until the first load is done. */
  let memory: Memory | null = null;
  /** Set during a load: changes that arrive meanwhile must go into it too. */
  let coming: Memory | null = null;
  let loading: Promise<void> = Promise.resolve();
  /** Changes by other processes not read yet: when the first was reported, and the event of the last. */
  const updates = new Map<CommandId, { readonly at: number; readonly event: EventId }>();
  /** The time of the remembered state, from the start of an outage until everything was read again. */
  let frozenAsOf: number | null = null;
  let cancelRefresh: (() => void) | null = null;
  let probing: Promise<unknown> | null = null;
  let isOpen = true;

  const memories = (): readonly Memory[] => [memory, coming].filter((one) => one !== null);

  function receive(event: Event): void {
    for (const one of memories()) one.events.add(event);
    if (!('commandId' in event) || event.type === 'command_output') return;
    if (memories().every(({ records }) => !records.isNewer(event.commandId, event.id))) return;
    const at = updates.get(event.commandId)?.at ?? clock.now();
    updates.set(event.commandId, { at, event: event.id });
    cancelRefresh ??= clock.timer(REFRESH_MS, () => void refresh());
  }

  async function refresh(): Promise<void> {
    const batch = [...updates].slice(0, REFRESHED_AT_ONCE);
    // More changes than fit into one batch are read without a delay.
    let nextMs = batch.length === REFRESHED_AT_ONCE ? 0 : REFRESH_MS;
    try {
      await Promise.all(batch.map(([id, { event }]) => readAgain(id, event)));
    } catch (error) {
      nextMs = REFRESH_MS;
      if (!(error instanceof UnavailableError)) logger.warn({ error }, 'commands of others not read again');
    }
    cancelRefresh = updates.size > 0 && isOpen ? clock.timer(nextMs, () => void refresh()) : null;
  }

  async function readAgain(id: CommandId, event: EventId): Promise<void> {
    const record = await store.get(id);
    for (const { records } of memories()) {
      if (record === null) records.forget(id);
      else records.put(record, event);
    }
    markKnown(id, event);
  }

  /** Marks the command as known up to this event. */
  function markKnown(id: CommandId, event: EventId): void {
    const newest = updates.get(id);
    if (newest !== undefined && !isAfter(newest.event, event)) updates.delete(id);
  }

  async function readFact(key: string): Promise<void> {
    const value = await facts.get(key);
    for (const one of memories()) if (value !== undefined) one.facts.set(key, value);
  }

  async function load(): Promise<void> {
    const early: Event[] = [];
    const unsubscribe = events.subscribe((event) => early.push(event));
    const before = await events.newest(EVENTS).finally(unsubscribe);
    const fresh = { records: createKnownRecords(), events: createKnownEvents(before), facts: new Map() };
    for (const event of early) fresh.events.add(event);
    coming = fresh;
    const through = fresh.events.lastId();
    for (const [key, value] of await facts.all()) fresh.facts.set(key, value);
    for (const record of await latestOf(store)) fresh.records.put(record, null);
    for (const record of await store.unfinished()) fresh.records.put(record, null);
    memory = fresh;
    frozenAsOf = null;
    if (through !== null) for (const id of updates.keys()) markKnown(id, through);
  }

  async function loadAll(): Promise<void> {
    try {
      await load();
    } catch (error) {
      if (isOpen && !(error instanceof UnavailableError)) logger.warn({ error }, 'stored state not loaded');
    } finally {
      coming = null;
    }
  }

  function loadAgain(): Promise<void> {
    loading = loading.then(loadAll);
    return loading;
  }

  function asOfNow(): number {
    const updated = [...updates.values()].map(({ at }) => at);
    return Math.min(presence.answeredAt(), events.confirmedAt(), ...updated);
  }

  const closing = [
    events.subscribe(receive),
    events.onGap(() => {
      memory = null;
      void loadAgain();
    }),
    facts.onSet((key) => {
      readFact(key).catch((error: unknown) => logger.debug({ key, error }, 'fact not read again'));
    }),
    presence.onChange(() => {
      if (presence.away() === null) void loadAgain();
      else frozenAsOf ??= asOfNow();
    }),
  ];

  /** Answers from Redis, or from memory while Redis does not answer. */
  async function askOrRecall<Answer>(
    ask: () => Promise<Answer>,
    recall: (memory: Memory) => Answer | undefined,
  ): Promise<Answer> {
    if (presence.away() === null) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        return recalled(recall, error);
      }
    }
    // Probe whether it is back: other parts may send nothing for a long time.
    probing ??= connection
      .ask((redis) => redis.exists(`${connection.prefix}facts`))
      .catch(() => undefined)
      .finally(() => (probing = null));
    return recalled(recall, presence.away()?.error);
  }

  function recalled<Answer>(
    recall: (memory: Memory) => Answer | undefined,
    error?: UnavailableError,
  ): Answer {
    const answer = memory === null ? undefined : recall(memory);
    if (answer !== undefined) return answer;
    throw error ?? new UnavailableError('redis-gone', 'Cannot read from Redis: it does not answer');
  }

  return {
    away() {
      const absence = presence.away();
      if (absence === null) return null;
      const { since, error } = absence;
      return { since, asOf: frozenAsOf ?? asOfNow(), why: absenceInWords(error) };
    },
    onChange: presence.onChange,
    store: {
      ...store,
      get: (id) =>
        askOrRecall(
          () => store.get(id),
          ({ records }) => records.get(id),
        ),
      find: (prefix) =>
        askOrRecall(
          () => store.find(prefix),
          ({ records }) => records.find(prefix),
        ),
      list: (filter) =>
        askOrRecall(
          () => store.list(filter),
          ({ records }) => records.list(filter),
        ),
      unfinished: (of) =>
        askOrRecall(
          () => store.unfinished(of),
          ({ records }) => unfinishedOf(records.unfinished(), of),
        ),
      countUnfinished: () =>
        askOrRecall(
          () => store.countUnfinished(),
          ({ records }) => countsOfUnfinished(records.unfinished()),
        ),
    },
    events: {
      append: events.append,
      subscribe: events.subscribe,
      async eachOfSessions(take) {
        let taken = 0;
        const recalledEvents = await askOrRecall<readonly Event[]>(
          async () => {
            await events.eachOfSessions((event) => {
              taken += 1;
              take(event);
            });
            return [];
          },
          // After some of them, the rest can't come from memory: they would count twice.
          (known) => (taken === 0 ? known.events.ofSessions() : undefined),
        );
        for (const event of recalledEvents) take(event);
      },
      since: (id, limit = 1000) =>
        askOrRecall(
          () => events.since(id, limit),
          (known) => known.events.since(id, limit),
        ),
      lastId: () =>
        askOrRecall(
          () => events.lastId(),
          (known) => known.events.lastId(),
        ),
    },
    facts: {
      ...facts,
      get: async (key) => {
        const { value } = await askOrRecall(
          async () => ({ value: await facts.get(key) }),
          (known) => ({ value: known.facts.get(key) }),
        );
        return value;
      },
    },
    open: () => void loadAgain(),
    isCaughtUp: () => memory !== null && frozenAsOf === null && updates.size === 0,
    stored(record, lastEvent) {
      for (const { records } of memories()) records.put(record, lastEvent);
      if (lastEvent !== null) markKnown(record.id, lastEvent);
    },
    close() {
      isOpen = false;
      cancelRefresh?.();
      for (const close of closing) close();
    },
  };
}
