import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/**
 * Finds the master through its sentinels, for a connection and all made after it, as BullMQ does.
 *
 * With ioredis's own connector, a lost connection still receives master-switch messages. If one arrives while it
 * reconnects, it gives up for good, whatever its retry strategy.
 */
// A class, because ioredis constructs one per connection.
export class SentinelReconnector extends SentinelConnector {
  /** ioredis requires a constructor that accepts anything. */
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
