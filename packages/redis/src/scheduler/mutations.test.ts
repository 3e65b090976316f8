import { randomBytes } from 'node:crypto';
import { createMemoryLogger, expectModelKept } from '@signalbox/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisConnection, openConnection } from '../connection/connection.ts';
import { loadScript } from '../script.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { type RedisServer, startRedisServer } from '../testing/redis-server.ts';
import { createScheduler } from './scheduler.ts';

/** Plausible mistakes in the scripts: the line, and its wrong version. */
const MUTATIONS = {
  'an intention to read does not block a writer of the whole node': [
    "['8'] = MODES }",
    "['8'] = { '2', '4', '8' } }",
  ],
  'a rise passes its first entry twice': ["'(' .. low, high, 'BYSCORE'", "low, high, 'BYSCORE'"],
  'locks above the file are ignored': [
    'if not any_exists({ unpack(all, 1, above) }) then return { locks[#locks] } end',
    'do return { locks[#locks] } end',
  ],
  'one command too many runs': [
    "redis.call('ZCARD', prefix .. 'leases') < max_concurrent",
    "redis.call('ZCARD', prefix .. 'leases') <= max_concurrent",
  ],
  'one command too many waits': ['share.waiting >= tonumber(ARGV[9])', 'share.waiting > tonumber(ARGV[9])'],
  'priority is ignored': ['entry.priority, in_order(entry.arrival)', "'0', in_order(entry.arrival)"],
  'the leases of a provider do not count': ['* 65536 + share.held), turn)', '* 65536), turn)'],
  'a provider keeps its turn after a grant': [
    'share.held, share.turn = share.held + 1, entry.fence',
    'share.held = share.held + 1',
  ],
  'a release does not update its provider’s turn': ["'INCR', '-1', turn", "'INCR', '0', turn"],
  'a new first ready command of a provider is not noticed': [
    'return by_priority > 0 or',
    'return by_priority ~= 0 or',
  ],
  'blocked locks are counted as one': [
    "redis.call('HSET', prefix .. 'blocked', id, whole(#blocking))",
    "redis.call('HSET', prefix .. 'blocked', id, '1')",
  ],
  'a release does not update the share': ['share.held = share.held - 1', 'share.held = share.held'],
} as const;

/** Catches each mutation within few runs; any other seed catches them too, but later. */
const SEED = 8;

let server: RedisServer;
let runs = 0;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.close());

test.each(Object.entries(MUTATIONS))('the model catches the mistake: %s', async (_, [from, to]) => {
  await expect(expectModelKept(start([from, to]), { numRuns: 400, seed: SEED })).rejects.toThrow(
    'Property failed',
  );
});

/** A scheduler whose scripts have `from` replaced by `to` everywhere. */
function start([from, to]: readonly [string, string]): Parameters<typeof expectModelKept>[0] {
  return async (wishes) => {
    runs += 1;
    const logger = createMemoryLogger();
    const connection = await openConnection({
      url: server.url,
      workspace: `run-${runs}`,
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
      connection: mutated(connection, { from, to }),
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

function mutated(
  connection: RedisConnection,
  { from, to }: Readonly<{ from: string; to: string }>,
): RedisConnection {
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
