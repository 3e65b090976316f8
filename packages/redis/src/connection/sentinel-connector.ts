import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/**
 * Finds the master by its sentinels, for a connection and all that are made after it, as BullMQ does.
 *
 * That of ioredis still hears of a new master what the lost connection listened to: told while it connects anew, it gives
 * up for ever, whatever its strategy says.
 */
// A class, since ioredis makes one of its own for each connection.
export class SentinelReconnector extends SentinelConnector {
  /** ioredis wants one that takes anything. */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(
    tell: Parameters<SentinelConnector['connect']>[0],
  ): ReturnType<SentinelConnector['connect']> {
    const ofTheLost = Reflect.get(this, 'failoverDetector') as { cleanup(): void } | null;
    ofTheLost?.cleanup();
    return super.connect(tell);
  }
}
