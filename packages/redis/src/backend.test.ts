import { randomBytes } from 'node:crypto';
import {
  commandStoreContract,
  countersContract,
  createMemoryLogger,
  eventLogContract,
  factsContract,
  runStoreContract,
  schedulerContract,
  unreadableContract,
} from '@signalbox/core/testing';
import { afterAll, beforeAll } from 'vitest';
import { createRedisBackend, type RedisBackendOptions } from './backend.ts';
import { createRealClock } from './testing/real-clock.ts';
import { type RedisServer, startRedisServer } from './testing/redis-server.ts';

const NAME = 'the Redis backend';
/** Short because time is real here, but long enough for a busy machine. */
const LIMITS = { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 2000, leaseTtlMs: 1200 };
/** A test that failed because the machine was busy is repeated. */
const TIMED = { retry: 5 };
let server: RedisServer;
let workspaces = 0;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.close());

/** A backend on its own workspace. */
async function start(options: Partial<RedisBackendOptions> = {}) {
  workspaces += 1;
  return createRedisBackend({
    url: server.url,
    workspace: `test-${workspaces}`,
    clock: createRealClock(),
    random: (length) => randomBytes(length),
    limits: LIMITS,
    logger: createMemoryLogger(),
    volatile: true,
    ...options,
  });
}

/** Waits in real time: Redis has no other clock. */
function pass(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

schedulerContract(
  NAME,
  async (wishes) => {
    const limits = { ...LIMITS, ...wishes };
    const backend = await start({ limits });
    const settle = (): Promise<void> => backend.scheduler.tick();
    return { ...backend, limits, settle, advance: (ms) => pass(ms).then(settle) };
  },
  { ...TIMED, propertyRuns: 100 },
);

commandStoreContract(NAME, () => start());

unreadableContract(NAME, async () => {
  const backend = await start();
  const { connection } = backend;
  return {
    ...backend,
    async damage(id, text) {
      await connection.ask((redis) => redis.hset(`${connection.prefix}command:${id}`, 'record', text));
    },
  };
});

eventLogContract(NAME, async () => {
  const backend = await start({ keepEvents: 1100 });
  return { ...backend, keep: 1100, overfull: 1200, settle: () => backend.events.caughtUp() };
});

countersContract(NAME, async () => ({ ...(await start()), windowMs: 500, advance: pass }), TIMED);

factsContract(NAME, () => start());

runStoreContract(NAME, () => start());
