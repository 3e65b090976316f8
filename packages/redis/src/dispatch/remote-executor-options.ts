import type { Clock, Json, Logger, RandomBytes } from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import type { RedisNodes } from '../nodes.ts';
import type { ExecutionOrder } from './execution-order.ts';
import type { DispatchChannel } from './dispatch-channel.ts';
import type { RunQueues } from './run-queue.ts';
import type { PresenceProbe } from './presence-probe.ts';

export type RemoteExecutorOptions = {
  readonly connection: RedisConnection;
  readonly queues: RunQueues;
  readonly channel: DispatchChannel;
  readonly members: Pick<RedisNodes, 'self' | 'living' | 'onChange' | 'onDead'>;
  readonly facts: { get(key: string): Promise<Json | undefined> };
  /** Time to live of a lease: that long after a worker was taken for dead, nothing of it runs any more. */
  readonly leaseTtlMs: number;
  /** Checks other processes on this machine. */
  readonly presenceProbe: PresenceProbe;
  /** Rolls back file changes left by a dead worker. */
  readonly takeBackFiles: () => Promise<void>;
  /** The confinement commands are judged with now; a worker that confines less rejects them. */
  readonly needs: () => ExecutionOrder['needs'];
  /** The settings from which a worker creates its executor. */
  readonly setup: () => Json;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
};
