import * as z from 'zod';
import type { RedisConnection } from '../connection/connection.ts';
import { defineScript, luaFile } from '../script.ts';

export type StreamedOutput = { readonly stream: 'stdout' | 'stderr'; readonly text: string };

export type OutputPage = {
  /** Of all that was printed, in UTF-8 bytes: to be given to the next `read`. */
  readonly position: number;
  /** In order; joined by stream they are the text. */
  readonly chunks: readonly StreamedOutput[];
  /** Bytes that were dropped before they could be read; 0 for who reads in time. */
  readonly missedBytes: number;
};

/** What one command prints, for whoever follows it in another process. It is not redacted here. */
export type OutputStream = {
  /** One batch, in one step; gather small pieces before, see `createOutputWriter`. Empty ones are nothing. */
  append(chunks: readonly StreamedOutput[]): Promise<void>;
  /** @param position 0 at first @param limit batches at most; default 100 */
  read(position: number, limit?: number): Promise<OutputPage>;
  /**
   * Calls back when there may be more to read, at least once now and after every lost connection.
   * Call the answer to end that.
   */
  follow(listener: () => void): Promise<() => void>;
  /** Drops all of it; without that it goes by itself after `keepMs`. */
  drop(): Promise<void>;
};

const KEEP_BYTES = 1024 * 1024;
const KEEP_MS = 600_000;
const BATCHES = 100;

const append = defineScript({
  url: luaFile('append-output'),
  argv: ({ name, keepBytes, keepMs, chunks }: Limits & { readonly chunks: readonly StreamedOutput[] }) => [
    name,
    keepBytes,
    keepMs,
    ...chunks.flatMap(({ stream, text }) => [stream, text]),
  ],
  reply: z.int(),
});

const chunkParts = z.array(z.string()).transform((parts) => {
  const chunks: StreamedOutput[] = [];
  for (let n = 0; n + 1 < parts.length; n += 2)
    chunks.push({ stream: parts[n] === 'stderr' ? 'stderr' : 'stdout', text: parts[n + 1] ?? '' });
  return chunks;
});

const read = defineScript({
  url: luaFile('read-output'),
  argv: ({ name, position, limit }: { name: string; position: number; limit: number }) => [
    name,
    position,
    limit,
  ],
  reply: z
    .tuple([z.int(), z.int(), chunkParts])
    .transform(([position, missedBytes, chunks]): OutputPage => ({ position, missedBytes, chunks })),
});

type Limits = { readonly name: string; readonly keepBytes: number; readonly keepMs: number };

export function createOutputStream(options: {
  readonly connection: RedisConnection;
  /** The id of the command or of its execution. */
  readonly name: string;
  /** So much stays for a reader who is behind, and at most one batch more. Default 1 MiB. */
  readonly keepBytes?: number;
  /** After the last batch. Default 600,000. */
  readonly keepMs?: number;
}): OutputStream {
  const { connection, name, keepBytes = KEEP_BYTES, keepMs = KEEP_MS } = options;
  const key = `${connection.prefix}output:${name}`;
  return {
    async append(chunks) {
      await connection.run(append, { name, keepBytes, keepMs, chunks });
    },
    read: (position, limit = BATCHES) => connection.run(read, { name, position, limit }),
    follow: (listener) => connection.subscriptions.add({ channel: key, receive: listener, begin: listener }),
    async drop() {
      await connection.ask((redis) => redis.del(key));
    },
  };
}
