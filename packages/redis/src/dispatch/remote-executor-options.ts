import type { Clock, Json, Logger, RandomBytes } from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import type { RedisMembers } from '../members.ts';
import type { ExecutionOrder } from './execution-order.ts';
import type { ForwardMessage } from './post.ts';
import type { RunQueues } from './run-queue.ts';
import type { PresenceProbe } from './presence-probe.ts';

export type RemoteExecutorOptions = {
  readonly connection: RedisConnection;
  readonly queues: RunQueues;
  readonly post: ForwardMessage;
  readonly members: Pick<RedisMembers, 'self' | 'living' | 'onChange' | 'onDead'>;
  readonly facts: { get(key: string): Promise<Json | undefined> };
  /** Time to live of a lease: that long after a worker was seen dead, nothing of it runs any more. */
  readonly leaseTtlMs: number;
  /** Of the other processes on this machine. */
  readonly presenceProbe: PresenceProbe;
  /** Takes back what a dead worker left of its files' changes. */
  readonly takeBackFiles: () => Promise<void>;
  /** What commands are judged by now: a worker that confines less refuses. */
  readonly needs: () => ExecutionOrder['needs'];
  /** The settings that a worker makes its executor of. */
  readonly setup: () => Json;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
};
