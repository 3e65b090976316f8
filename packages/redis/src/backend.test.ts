import {
  commandStoreContract,
  countersContract,
  createMemoryLogger,
  eventLogContract,
  factsContract,
} from '@signalbox/core/testing';
import { afterAll, beforeAll } from 'vitest';
import { createRedisBackend, type RedisBackendOptions } from './backend.ts';
import { createRealClock } from './testing/real-clock.ts';
import { type RedisServer, startRedisServer } from './testing/redis-server.ts';

const NAME = 'the Redis backend';
let server: RedisServer;
let workspaces = 0;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.close());

/** A backend of a workspace of its own. */
async function start(options: Partial<RedisBackendOptions> = {}) {
  workspaces += 1;
  return createRedisBackend({
    url: server.url,
    workspace: `test-${workspaces}`,
    clock: createRealClock(),
    logger: createMemoryLogger(),
    volatile: true,
    ...options,
  });
}

/** Redis knows no other time than the real one. */
function pass(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

commandStoreContract(NAME, () => start());

eventLogContract(NAME, async () => {
  const backend = await start({ keepEvents: 1100 });
  return { ...backend, keep: 1100, overfull: 1200, settle: () => backend.events.caughtUp() };
});

countersContract(NAME, async () => ({ ...(await start()), windowMs: 500, advance: pass }));

factsContract(NAME, () => start());
