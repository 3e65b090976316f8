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
    `Cannot use what Redis at ${where} keeps of this workspace: it is of another version of Signalbox`,
    {
      why: [
        found === ''
          ? `it is laid out as before formats were noted, and this version knows format ${known}`
          : `it is laid out in format ${found}, and this version knows format ${known}`,
        'nothing of it was read or changed',
      ],
      next: [
        'Run the version of Signalbox that wrote it',
        `Or let that one end what is still to be done, stop all of its processes, and remove what is left: ${remove}`,
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
