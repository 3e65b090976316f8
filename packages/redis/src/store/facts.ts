import { canonicalJson, type Facts, type Json, Json as JsonSchema } from '@signalbox/core';
import * as z from 'zod';
import type { RedisConnection } from '../connection/connection.ts';
import { defineScript, luaFile } from '../script.ts';

const compareAndSet = defineScript({
  url: luaFile('store/compare-and-set'),
  argv: ({ key, expected, value }: { key: string; expected: string | undefined; value: string }) => [
    key,
    value,
    ...(expected === undefined ? [] : [expected]),
  ],
  reply: z.enum(['set', 'other']),
});

const setFact = defineScript({
  url: luaFile('store/set-fact'),
  argv: ({ key, value }: { key: string; value: string }) => [key, value],
  reply: z.literal('set'),
});

export type RedisFacts = Facts &
  Required<Pick<Facts, 'watch'>> & {
    /** All facts that are set. */
    all(): Promise<ReadonlyMap<string, Json>>;
    /** Called with the key of each fact that any process sets. Call the result to stop. */
    onSet(listener: (key: string) => void): () => void;
    /** Subscribes to changes by any process. */
    open(): Promise<void>;
  };

/** Values are stored as canonical JSON, so that equal values are equal as text. */
export function createFacts(connection: RedisConnection): RedisFacts {
  const hash = `${connection.prefix}facts`;
  const watchers = new Map<string, Set<() => void>>();
  const onSet = new Set<(key: string) => void>();

  function tell(key: string): void {
    for (const changed of watchers.get(key) ?? []) changed();
  }

  return {
    async get(key) {
      const text = await connection.ask((redis) => redis.hget(hash, key));
      return text === null ? undefined : JsonSchema.parse(JSON.parse(text));
    },
    async set(key, value) {
      await connection.run(setFact, { key, value: textOf(value) });
    },
    async compareAndSet(key, { expected, value }) {
      const answer = await connection.run(compareAndSet, {
        key,
        expected: expected === undefined ? undefined : textOf(expected),
        value: textOf(value),
      });
      return answer === 'set';
    },
    watch(key, changed) {
      const known = watchers.get(key) ?? new Set();
      watchers.set(key, known.add(changed));
      return () => {
        known.delete(changed);
        if (known.size === 0) watchers.delete(key);
      };
    },
    async all() {
      const texts = await connection.ask((redis) => redis.hgetall(hash));
      return new Map(
        Object.entries(texts).map(([key, text]) => [key, JsonSchema.parse(JSON.parse(text))] as const),
      );
    },
    onSet(listener) {
      onSet.add(listener);
      return () => onSet.delete(listener);
    },
    async open() {
      await connection.subscriptions.add({
        channel: hash,
        receive(key) {
          tell(key);
          for (const listener of onSet) listener(key);
        },
        begin: () => {
          for (const key of watchers.keys()) tell(key);
        },
      });
    },
  };
}

function textOf(value: Json): string {
  return canonicalJson(value);
}
