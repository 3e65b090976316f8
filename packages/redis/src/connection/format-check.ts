import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { defineScript, luaFile } from '../script.ts';
import type { RedisConnection } from './connection.ts';

/**
 * Checks that the workspace's data in Redis has this version's format, before any of it is read.
 *
 * @param how 'note': claims an empty workspace for this version; 'look': changes nothing
 * @throws {UsageError} `redis-format`; the data is unchanged
 */
export async function checkFormat(connection: RedisConnection, how: 'note' | 'look'): Promise<void> {
  const reply = await connection.run(enter, how);
  if (reply[0] !== 'other') return;
  const [, found, known] = reply;
  const { prefix, where } = connection;
  const remove = `redis-cli -u URL --scan --pattern '${prefix}*' | xargs -d '\\n' redis-cli -u URL unlink`;
  throw new UsageError(
    'redis-format',
    `Cannot use the data of this workspace on Redis at ${where}: another version of Signalbox wrote it`,
    {
      why: [
        found === ''
          ? `it is in a format from before formats were numbered; this version knows format ${known}`
          : `it is in format ${found}; this version knows format ${known}`,
        'nothing was read or changed',
      ],
      next: [
        'Run the version of Signalbox that wrote it',
        `Or let that version finish its work, stop all of its processes, and remove the rest: ${remove}`,
      ],
    },
  );
}

const enter = defineScript({
  url: luaFile('enter'),
  libraries: [luaFile('format')],
  argv: (how: 'note' | 'look') => [how],
  reply: z.union([
    z.tuple([z.enum(['known', 'empty'])]),
    z.tuple([z.literal('other'), z.string(), z.string()]),
  ]),
});
