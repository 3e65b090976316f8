import * as z from 'zod';
import type { RedisConnection } from '../connection/connection.ts';
import { defineScript, luaFile } from '../script.ts';

export type StreamedOutput = { readonly stream: 'stdout' | 'stderr'; readonly text: string };

export type OutputPage = {
  /** UTF-8 bytes printed up to here; pass it to the next `read`. */
  readonly position: number;
  /** In order; joined per stream they are the text. */
  readonly chunks: readonly StreamedOutput[];
  /** Bytes dropped before they could be read; 0 for a reader that keeps up. */
  readonly missedBytes: number;
};

/** What one command prints, for readers in other processes. Not redacted here. */
export type OutputStream = {
  /** Appends one batch atomically. Buffer small pieces first, see `createOutputWriter`. Empty chunks are ignored. */
  append(chunks: readonly StreamedOutput[]): Promise<void>;
  /** @param position 0 at first @param limit maximum number of batches; default 100 */
  read(position: number, limit?: number): Promise<OutputPage>;
  /**
   * Called when there may be more to read: at least once now and after every lost connection. Call the result to stop.
   */
  follow(listener: () => void): Promise<() => void>;
  /** Drops all of it. Otherwise it expires after `keepMs`. */
  drop(): Promise<void>;
};

const KEEP_BYTES = 1024 * 1024;
const KEEP_MS = 600_000;
const BATCHES = 100;

const append = defineScript({
  url: luaFile('events/append-output'),
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
  url: luaFile('events/read-output'),
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
  /** Bytes kept for a late reader, plus at most one batch. Default 1 MiB. */
  readonly keepBytes?: number;
  /** Milliseconds from the last batch to expiry. Default 600,000. */
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
