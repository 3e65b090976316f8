import type { Logger, NodeId } from '@signalbox/core';
import * as z from 'zod';
import type { RedisConnection } from '../connection/connection.ts';
import { defineScript, luaFile } from '../script.ts';
import { DispatchMessage } from './message.ts';

/** Messages between members: in order, kept while the receiver is disconnected, deleted with the receiver. */
export type DispatchChannel = {
  /** Returns false if there is no such member: it left, or died and was settled. */
  send(to: NodeId, ...messages: readonly DispatchMessage[]): Promise<boolean>;
  /** Receives the messages for this member. Call once. */
  open(receive: (message: DispatchMessage) => void): Promise<void>;
};

const PAGE = 100;

const sendMessages = defineScript({
  url: luaFile('dispatch/send-messages'),
  argv: ({ to, messages }: { to: NodeId; messages: readonly DispatchMessage[] }) => [
    to,
    ...messages.map((message) => JSON.stringify(message)),
  ],
  reply: z.enum(['left', 'gone']),
});

export function createDispatchChannel(options: {
  readonly connection: RedisConnection;
  readonly self: NodeId;
  readonly logger: Logger;
}): DispatchChannel {
  const { connection, self, logger } = options;
  const key = `${connection.prefix}post:${self}`;
  let reading: Promise<void> = Promise.resolve();

  async function read(receive: (message: DispatchMessage) => void): Promise<void> {
    for (let full = true; full;) {
      const entries = await connection.ask((redis) => redis.xrange(key, '-', '+', 'COUNT', PAGE));
      for (const [, [, text = '']] of entries) {
        const message = parse(text);
        if (message !== null) receive(message);
        else logger.warn({ text: text.slice(0, 200) }, 'message of another version left unread');
      }
      // Deleted after processing: if this call fails, the messages arrive twice, which changes nothing.
      if (entries.length > 0) await connection.ask((redis) => redis.xdel(key, ...entries.map(([id]) => id)));
      full = entries.length === PAGE;
    }
  }

  return {
    async send(to, ...messages) {
      return (await connection.run(sendMessages, { to, messages })) === 'left';
    },
    async open(receive) {
      const poll = (): void => {
        reading = reading
          .then(() => read(receive))
          .catch((error: unknown) =>
            logger.warn({ error }, 'messages not read; they are when Redis answers again'),
          );
      };
      await connection.subscriptions.add({ channel: key, receive: poll, begin: poll });
    },
  };
}

function parse(text: string): DispatchMessage | null {
  try {
    return DispatchMessage.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
