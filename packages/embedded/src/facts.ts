import { canonicalJson, type Facts, Json } from '@signalbox/core';
import type { Database } from './database.ts';
import { textOf } from './row.ts';

export type EmbeddedFacts = Facts & {
  /** Synchronous `get` and `set`. */
  read(key: string): Json | undefined;
  write(key: string, value: Json): void;
};

/** Values are stored as canonical JSON, so that equal values are equal as text. */
export function createFacts(database: Database): EmbeddedFacts {
  const select = database.prepare('SELECT value FROM facts WHERE key = ?');
  const upsert = database.prepare('INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)');

  const textAt = (key: string): string | undefined => {
    const row = select.get(key);
    return row === undefined ? undefined : textOf(row, 'value');
  };
  const read = (key: string): Json | undefined => {
    const text = textAt(key);
    return text === undefined ? undefined : Json.parse(JSON.parse(text));
  };
  const write = (key: string, value: Json): void => {
    upsert.run(key, canonicalJson(value));
  };

  return {
    read,
    write,
    async get(key) {
      return read(key);
    },
    async set(key, value) {
      write(key, value);
    },
    async compareAndSet(key, { expected, value }) {
      return database.transaction(() => {
        const wanted = expected === undefined ? undefined : canonicalJson(expected);
        if (textAt(key) !== wanted) return false;
        write(key, value);
        return true;
      });
    },
  };
}
