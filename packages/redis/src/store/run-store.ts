import {
  EventId,
  type Json,
  type NodeId,
  RevisionError,
  type RunChange,
  type RunId,
  type RunStore,
  type StoredRun,
} from '@signalbox/core';
import * as z from 'zod';
import type { RedisConnection } from '../connection/connection.ts';
import type { RedisEventLog } from '../events/event-log.ts';
import { stampOf } from '../events/event-position.ts';
import { defineScript, luaFile } from '../script.ts';

const PART = 'part:';

type Commit = {
  readonly change: RunChange;
  readonly topic: string;
  readonly keep: number;
  readonly events: readonly string[];
};

const commitRun = defineScript({
  url: luaFile('store/commit-run'),
  libraries: [luaFile('events/events')],
  argv: ({ change: { id, owner, kind, parts }, topic, keep, events }: Commit) => {
    const named = Object.entries(parts).flatMap(([name, value]) => [name, JSON.stringify(value)]);
    return [id, owner ?? '', kind, topic, keep, named.length / 2, ...named, ...events];
  },
  reply: z.union([z.tuple([z.literal('stored')], EventId), z.tuple([z.literal('other')])]),
});

const takeRun = defineScript({
  url: luaFile('store/take-run'),
  argv: ({ id, from, to }: { id: RunId; from: NodeId | null; to: NodeId | null }) => [
    id,
    from ?? '',
    to ?? '',
  ],
  reply: z.enum(['taken', 'other']),
});

const unfinishedRuns = defineScript({
  url: luaFile('store/unfinished-runs'),
  argv: () => [],
  reply: z.array(z.tuple([z.string()], z.string())),
});

export function createRunStore(connection: RedisConnection, log: RedisEventLog): RunStore {
  return {
    async commit(change, events) {
      const texts = events.map((event) => JSON.stringify(event));
      const { keep } = log;
      const reply = await connection.run(commitRun, { change, topic: log.topic(), keep, events: texts });
      if (reply[0] === 'other')
        throw new RevisionError(`Cannot store run "${change.id}": another coordinator leads it`);
      const [, ...ids] = reply;
      log.stored(ids);
      return events.map((event, n) => ({ ...event, ...stampOf(ids[n] ?? '') }));
    },

    async unfinished() {
      const found = await connection.run(unfinishedRuns, undefined);
      return found.map(([id, ...fields]) => toRun(id as RunId, fields));
    },

    async take(id, owners) {
      return (await connection.run(takeRun, { id, ...owners })) === 'taken';
    },
  };
}

/** @param fields names and values, by turns */
function toRun(id: RunId, fields: readonly string[]): StoredRun {
  let owner: NodeId | null = null;
  const parts: Record<string, Json> = {};
  for (let n = 0; n < fields.length; n += 2) {
    const [name = '', value = ''] = fields.slice(n, n + 2);
    if (name.startsWith(PART)) parts[name.slice(PART.length)] = valueIn(value);
    // Of no node if it is damaged; then any coordinator may take the run.
    else if (value !== '') owner = value as NodeId;
  }
  return { id, owner, parts };
}

/** A damaged part must not prevent reading the others. */
function valueIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
