import type { Clock, Logger } from '@signalbox/core';
import { toSignalboxError } from './redis-failure.ts';
import type { RedisClient } from './server-address.ts';

export type Subscription = {
  /** Without the workspace's prefix is another channel: give the whole name. */
  readonly channel: string;
  receive(message: string): void;
  /** The connection is gone: what is heard from now on may come after what was missed, until {@link begin}. */
  lost?(): void;
  /**
   * After each subscription, the first and those after a lost connection: what was published meanwhile was missed. And
   * each time Redis answers again: what was heard meanwhile could not be looked at.
   */
  begin(): void;
};

/** How often a connection on which nothing was said is asked whether it still is one. */
const PING_MS = 5000;

/** What is published on this process's one listening connection. */
export type Subscriptions = {
  /**
   * Resolves when the server has confirmed it; call the answer to hear no more. One a channel.
   *
   * @throws {UnavailableError} it is subscribed all the same as soon as Redis is back
   */
  add(subscription: Subscription): Promise<() => void>;
  /** To be called when Redis answers again. */
  beginAgain(): void;
  /** When the connection was last known to be one; epoch milliseconds by this process's clock. */
  heardBy(): number;
  close(): void;
};

export function createSubscriptions(options: {
  readonly redis: RedisClient;
  /** The server's address, for errors. */
  readonly where: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** It may go over to another node without a word: then what was missed is asked for at each ping. */
  readonly changesInSilence: boolean;
}): Subscriptions {
  const { redis, where, clock, logger } = options;
  const subscriptions = new Map<string, Subscription>();
  let open = true;
  let heardBy = clock.now();

  const subscribe = async ({ channel, begin }: Subscription): Promise<void> => {
    try {
      await redis.subscribe(channel);
    } catch (error) {
      throw toSignalboxError(error, where);
    }
    begin();
  };

  function beginAgain(): void {
    for (const { begin } of subscriptions.values()) begin();
  }

  // A link that died in silence would let this process wait for ever, for it only listens.
  const ping = (): void => {
    if (!open) return;
    cancelPing = clock.timer(PING_MS, ping);
    if (redis.status !== 'ready') return;
    if (options.changesInSilence) beginAgain();
    const askedAt = clock.now();
    redis.ping().then(
      () => (heardBy = askedAt),
      () => open && redis.status === 'ready' && redis.disconnect(true),
    );
  };
  let cancelPing = clock.timer(PING_MS, ping);

  redis.on('message', (channel, message) => {
    heardBy = clock.now();
    subscriptions.get(channel)?.receive(message);
  });
  redis.on('close', () => {
    for (const { lost } of subscriptions.values()) lost?.();
  });
  redis.on('ready', () => {
    for (const subscription of subscriptions.values())
      subscribe(subscription).catch((error: unknown) => {
        // The connection went again: its next `ready` does it.
        if (open) logger.warn({ channel: subscription.channel, error }, 'not subscribed; trying again');
      });
  });

  return {
    async add(subscription) {
      subscriptions.set(subscription.channel, subscription);
      await subscribe(subscription);
      return () => {
        subscriptions.delete(subscription.channel);
        // A lost connection hears nothing anyway.
        if (open) redis.unsubscribe(subscription.channel).catch(() => undefined);
      };
    },
    beginAgain,
    heardBy: () => heardBy,
    close() {
      open = false;
      cancelPing();
      subscriptions.clear();
    },
  };
}
