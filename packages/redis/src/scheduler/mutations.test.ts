import { randomBytes } from 'node:crypto';
import { createMemoryLogger, expectModelKept } from '@signalbox/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisConnection, openConnection } from '../connection/connection.ts';
import { loadScript } from '../script.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { type RedisServer, startRedisServer } from '../testing/redis-server.ts';
import { createScheduler } from './scheduler.ts';

/** What one hand could get wrong in the scripts: the line as it is, and as it would be. */
const MUTATIONS = {
  'an intention to read does not stop a writer of the whole': [
    "['8'] = MODES }",
    "['8'] = { '2', '4', '8' } }",
  ],
  'a rise passes the entry that it began with once more': [
    "'(' .. low, high, 'BYSCORE'",
    "low, high, 'BYSCORE'",
  ],
  'a lock above the file is not looked at': [
    'if not any_exists({ unpack(all, 1, above) }) then return { locks[#locks] } end',
    'do return { locks[#locks] } end',
  ],
  'one runs too many': [
    "redis.call('ZCARD', prefix .. 'leases') < max_concurrent",
    "redis.call('ZCARD', prefix .. 'leases') <= max_concurrent",
  ],
  'one waits too many': ['share.waiting >= tonumber(ARGV[9])', 'share.waiting > tonumber(ARGV[9])'],
  'priority is forgotten': ['entry.priority, in_order(entry.arrival)', "'0', in_order(entry.arrival)"],
  'what a provider holds does not count': ['* 65536 + share.held), turn)', '* 65536), turn)'],
  'a provider keeps its turn after a grant': [
    'share.held, share.turn = share.held + 1, entry.fence',
    'share.held = share.held + 1',
  ],
  'a release leaves the turn of its provider as it was': ["'INCR', '-1', turn", "'INCR', '0', turn"],
  'who comes first among the ready ones of a provider is not noticed': [
    'return by_priority > 0 or',
    'return by_priority ~= 0 or',
  ],
  'who waits for a lock is not counted': [
    "redis.call('HSET', prefix .. 'blocked', id, whole(#blocking))",
    "redis.call('HSET', prefix .. 'blocked', id, '1')",
  ],
  'a release leaves the share as it was': ['share.held = share.held - 1', 'share.held = share.held'],
} as const;

/** Of lives of which few are enough to catch each of them; any other catches them too, later. */
const SEED = 8;

let server: RedisServer;
let lives = 0;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.close());

test.each(Object.entries(MUTATIONS))('the model catches it when %s', async (_, [from, to]) => {
  await expect(expectModelKept(start([from, to]), { numRuns: 400, seed: SEED })).rejects.toThrow(
    'Property failed',
  );
});

/** A scheduler whose scripts have this text replaced wherever it stands; it must stand somewhere. */
function start([from, to]: readonly [string, string]): Parameters<typeof expectModelKept>[0] {
  return async (wishes) => {
    lives += 1;
    const logger = createMemoryLogger();
    const connection = await openConnection({
      url: server.url,
      workspace: `life-${lives}`,
      clock: createRealClock(),
      logger,
    });
    const limits = {
      maxConcurrent: 1000,
      maxQueuePerProvider: 1000,
      maxWaitMs: 60_000,
      leaseTtlMs: 60_000,
      ...wishes,
    };
    const scheduler = createScheduler({
      connection: mutated(connection, from, to),
      limits,
      logger,
      clock: createRealClock(),
      random: (length) => randomBytes(length),
      chunk: 2,
    });
    await scheduler.open();
    const settle = (): Promise<void> => scheduler.tick();
    return {
      scheduler,
      limits,
      settle,
      advance: settle,
      async close() {
        scheduler.close();
        connection.close();
      },
    };
  };
}

function mutated(connection: RedisConnection, from: string, to: string): RedisConnection {
  return {
    ...connection,
    async run(script, input) {
      const { text } = loadScript(script);
      const values = ['1', connection.prefix, ...script.argv(input).map(String)];
      const changed = text.replaceAll(from, to);
      return script.reply.parse(await connection.ask((redis) => redis.call('EVAL', changed, ...values)));
    },
  };
}
