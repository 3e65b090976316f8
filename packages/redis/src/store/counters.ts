import type { Counters, CounterTake } from '@signalbox/core';
import * as z from 'zod';
import type { RedisConnection } from '../connection/connection.ts';
import { defineScript, luaFile } from '../script.ts';

const take = defineScript({
  url: luaFile('store/take'),
  argv: ({ key, limit, windowMs }: CounterTake) => [key, limit, windowMs ?? ''],
  reply: z.union([
    z.tuple([z.literal('taken'), z.int()]),
    z.tuple([z.literal('exhausted'), z.int(), z.literal('never')]),
    z.tuple([z.literal('exhausted'), z.int(), z.coerce.number()]),
  ]),
});

const used = defineScript({
  url: luaFile('store/used'),
  argv: ({ key, windowMs }: Omit<CounterTake, 'limit'>) => [key, windowMs ?? ''],
  reply: z.int(),
});

/** Counts by the time of Redis, independently of the machines' clocks. */
export function createCounters(connection: RedisConnection): Counters {
  return {
    async take(request) {
      const [kind, count, wait] = await connection.run(take, request);
      if (kind === 'taken') return { kind, used: count };
      return { kind, used: count, retryAfterMs: wait === 'never' ? null : wait };
    },
    used: (key, windowMs) => connection.run(used, { key, windowMs }),
  };
}
