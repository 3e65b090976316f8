import { EXECUTION_TOPIC, type Logger, type NodeId } from '@signalbox/core';
import * as z from 'zod';
import type { RedisConnection } from '../connection/connection.ts';
import { defineScript, luaFile } from '../script.ts';

const note = defineScript({
  url: luaFile('events/topic'),
  argv: ({ self, topic }: { self: NodeId; topic: string }) => [self, topic],
  reply: z.string(),
});

/**
 * Returns the topic on which all processes of the workspace publish their events. A process whose settings name another
 * topic while others run logs a warning and uses theirs.
 */
export async function noteTopic(
  connection: RedisConnection,
  { self, topic, logger }: { readonly self: NodeId; readonly topic: string; readonly logger: Logger },
): Promise<string> {
  const used = await connection.run(note, { self, topic });
  if (used !== topic)
    logger.warn(
      { topic, used },
      'monitoring.pubsub_topic differs from the running coordinators; theirs is used until all have ended',
    );
  return used;
}

/** Returns the topic for a process that publishes nothing. */
export async function readTopic({ ask, prefix }: RedisConnection): Promise<string> {
  return (await ask((redis) => redis.get(`${prefix}topic`))) ?? EXECUTION_TOPIC;
}
