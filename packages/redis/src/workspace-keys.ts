import type { Clock, Logger } from '@signalbox/core';
import { Cluster } from 'ioredis';
import { openConnection } from './connection/connection.ts';
import type { RedisClient } from './connection/server-address.ts';

/** All keys of one workspace in Redis. */
export type WorkspaceKeys = {
  /** The server's address, in quotes, without user and password. */
  readonly where: string;
  count(): Promise<number>;
  /** Removes them in batches; returns their number. No process may use the workspace meanwhile. */
  remove(): Promise<number>;
  close(): void;
};

/** Keys scanned per call; Redis answers other clients in between. */
const AT_ONCE = 500;

/** @throws {UnavailableError} when Redis can't be reached, as do all its methods */
export async function openWorkspaceKeys(options: {
  readonly url: string;
  readonly workspace: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<WorkspaceKeys> {
  const { where, prefix, ask, close } = await openConnection(options);

  async function forEachPage(of: (keys: readonly string[]) => Promise<unknown>): Promise<void> {
    for (const node of await ask(async (redis) => nodesOf(redis))) {
      let cursor = '0';
      do {
        const [next, keys] = await ask(() => node.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', AT_ONCE));
        if (keys.length > 0) await of(keys);
        cursor = next;
      } while (cursor !== '0');
    }
  }

  return {
    where,
    close,
    async count() {
      // SCAN may return a key twice.
      const met = new Set<string>();
      await forEachPage(async (keys) => keys.forEach((key) => met.add(key)));
      return met.size;
    },
    async remove() {
      let removed = 0;
      await forEachPage(async (keys) => {
        removed += await ask((redis) => redis.del(...keys));
      });
      return removed;
    },
  };
}

function nodesOf(redis: RedisClient) {
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}
