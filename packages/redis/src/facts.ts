import { canonicalJson, type Facts, type Json, Json as JsonSchema } from '@signalbox/core';
import * as z from 'zod';
import type { Connection } from './connection.ts';
import { defineScript } from './script.ts';

const compareAndSet = defineScript({
  url: new URL('lua/compare-and-set.lua', import.meta.url),
  argv: ({ key, expected, value }: { key: string; expected: string | undefined; value: string }) => [
    key,
    value,
    ...(expected === undefined ? [] : [expected]),
  ],
  reply: z.enum(['set', 'other']),
});

/** Values are kept as canonical JSON, so that equal ones are equal as text. */
export function createFacts(connection: Connection): Facts {
  const hash = `${connection.prefix}facts`;
  return {
    async get(key) {
      const text = await connection.ask((redis) => redis.hget(hash, key));
      return text === null ? undefined : JsonSchema.parse(JSON.parse(text));
    },
    async set(key, value) {
      await connection.ask((redis) => redis.hset(hash, key, canonicalJson(value)));
    },
    async compareAndSet(key, expected, value) {
      const answer = await connection.run(compareAndSet, {
        key,
        expected: expected === undefined ? undefined : textOf(expected),
        value: textOf(value),
      });
      return answer === 'set';
    },
  };
}

function textOf(value: Json): string {
  return canonicalJson(value);
}
