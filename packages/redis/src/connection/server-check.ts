import { UnavailableError, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { defineScript, luaFile } from '../script.ts';
import type { RedisConnection } from './connection.ts';

/** The scripts read the time and the first entry of a stream as Redis 7 and Valkey allow. */
const OLDEST_MAJOR = 7;

/**
 * Checks that the server keeps what it accepts, before anything is stored.
 *
 * @throws {UsageError} when it is too old, or loses its data on restart and `volatile` was not set
 * @throws {UnavailableError} when it is a replica
 */
export async function checkServer(
  connection: RedisConnection,
  options: {
    /** Accept a server that loses its data on restart; for trials only. */ readonly volatile: boolean;
  },
): Promise<void> {
  const facts = parseInfo(await connection.run(readServer, undefined));
  const version = facts.get('redis_version') ?? 'unknown';
  const at = `Redis at ${connection.where}`;
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR))
    throw new UsageError('redis-too-old', `Cannot use ${at}: its version is "${version}"`, {
      next: [`Use Redis ${OLDEST_MAJOR} or newer, or Valkey`],
    });
  if (facts.get('role') === 'slave')
    throw new UnavailableError('redis-refused', `Cannot use ${at}: it is a read-only replica`, {
      next: ['Give the address of the master'],
    });
  if (facts.get('aof_enabled') !== '1' && !options.volatile)
    throw new UsageError('redis-volatile', `Cannot use ${at}: it loses accepted commands when it stops`, {
      why: ['its append-only file is off (appendonly no)'],
      next: ['Switch it on: redis-cli CONFIG SET appendonly yes', 'Or accept the loss: --volatile'],
    });
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  if (facts.get('maxmemory') !== '0' && policy !== 'noeviction')
    throw new UsageError('redis-evicts', `Cannot use ${at}: it drops keys when its memory is full`, {
      why: [`its maxmemory-policy is "${policy}"`],
      next: ['Let it reject writes instead: redis-cli CONFIG SET maxmemory-policy noeviction'],
    });
}

/** As a script, so that in a cluster the node that holds the workspace replies. */
const readServer = defineScript({
  url: luaFile('server-info'),
  argv: () => [],
  reply: z.string(),
});

/** Parses `name:value` lines. */
function parseInfo(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]];
    }),
  );
}
