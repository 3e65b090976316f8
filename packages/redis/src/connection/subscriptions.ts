import type { Clock, Logger } from '@signalbox/core';
import { toSignalboxError } from './redis-failure.ts';
import type { RedisClient } from './server-address.ts';

export type Subscription = {
  /** The full channel name, including the workspace's prefix. */
  readonly channel: string;
  receive(message: string): void;
  /** The connection is lost: until {@link begin}, messages may be preceded by missed ones. */
  lost?(): void;
  /**
   * Called after each (re)subscription: what was published before it was missed. Also called when Redis answers again:
   * messages received meanwhile could not be processed.
   */
  begin(): void;
};

/** How often a silent connection is pinged. */
const PING_MS = 5000;

/** Subscriptions on this process's single subscriber connection. */
export type Subscriptions = {
  /**
   * Resolves when the server has confirmed the subscription. Call the result to unsubscribe. At most one per channel.
   *
   * @throws {UnavailableError} the subscription still starts as soon as Redis is back
   */
  add(subscription: Subscription): Promise<() => void>;
  /** Call when Redis answers again. */
  beginAgain(): void;
  /** When the connection was last known to work, in epoch milliseconds by this process's clock. */
  confirmedAt(): number;
  close(): void;
};

export function createSubscriptions(options: {
  readonly redis: RedisClient;
  /** The server's address, for errors. */
  readonly where: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** True if it may move to another node silently: then each ping triggers a check for missed messages. */
  readonly changesInSilence: boolean;
}): Subscriptions {
  const { redis, where, clock, logger } = options;
  const subscriptions = new Map<string, Subscription>();
  let open = true;
  let confirmedAt = clock.now();

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

  // Without a ping, a link that died silently would never be noticed: this connection only receives.
  const ping = (): void => {
    if (!open) return;
    cancelPing = clock.timer(PING_MS, ping);
    if (redis.status !== 'ready') return;
    if (options.changesInSilence) beginAgain();
    const askedAt = clock.now();
    redis.ping().then(
      () => (confirmedAt = askedAt),
      () => open && redis.status === 'ready' && redis.disconnect(true),
    );
  };
  let cancelPing = clock.timer(PING_MS, ping);

  redis.on('message', (channel, message) => {
    confirmedAt = clock.now();
    subscriptions.get(channel)?.receive(message);
  });
  redis.on('close', () => {
    for (const { lost } of subscriptions.values()) lost?.();
  });
  redis.on('ready', () => {
    for (const subscription of subscriptions.values())
      subscribe(subscription).catch((error: unknown) => {
        // The connection was lost again; its next `ready` resubscribes.
        if (open) logger.warn({ channel: subscription.channel, error }, 'not subscribed; trying again');
      });
  });

  return {
    async add(subscription) {
      subscriptions.set(subscription.channel, subscription);
      await subscribe(subscription);
      return () => {
        subscriptions.delete(subscription.channel);
        // A lost connection receives nothing anyway.
        if (open) redis.unsubscribe(subscription.channel).catch(() => undefined);
      };
    },
    beginAgain,
    confirmedAt: () => confirmedAt,
    close() {
      open = false;
      cancelPing();
      subscriptions.clear();
    },
  };
}
